extension StreamingAudioEngine {
    /// Frames, at 48 kHz, in which one sound goes over into another or into silence, for who looks for that in a recording.
    package static var fadeFrames: Int { Ramp.length }
}
