import AudioEngine
import Foundation
import LinuxSystem
import Playback
import Probe
import TestKit
import Testing
import WireProtocol

/// An engine on a sound server, with two tracks of different noise, `a` and `b`, a minute each.
func noiseEngine(_ log: EventLog, position: Double = 10, sink: String? = nil) throws -> StreamingAudioEngine {
    try StreamingAudioEngine(
        tracks: [
            TrackFile(id: "a", path: try MediaFiles.noise("a.m4a", seconds: 60, arguments: MediaFiles.aac)),
            TrackFile(id: "b", path: try MediaFiles.noise("b.m4a", track: 1, seconds: 60, arguments: MediaFiles.aac)),
        ], active: "a", position: position, output: .pulse(sink: sink), onEvent: { log.note($0) })
}

/// The output that an event tells of, if it is there.
func present(_ event: EngineEvent) -> OutputState? {
    if case .output(let state) = event, state.isPresent { return state }
    return nil
}

/// Reported minus heard position in milliseconds, at several moments from now on.
///
/// `recording` gives what was heard, `settling` seconds after the last moment; heard is looked for within `reach` seconds.
func positionErrors(
    _ log: EventLog, track: Int, moments: Int = 8, settling: Double = 0.3, reach: Double = 0.1,
    heardIn recording: () -> Recording
) throws -> [Double] {
    log.waitUntilHeard()
    var reported: [(SteadyTime, Double)] = []
    for _ in 0..<moments {
        usleep(50_000)
        let now = MonotonicClock.now()
        reported.append((now, try #require(log.position(at: now))))
    }
    usleep(UInt32(settling * 1e6))
    let recording = recording()
    return try reported.map { at, position in
        let heard = recording.position(at: at, track: track, near: position, reach: reach)
        return (position - (try #require(heard, "nothing known sounds at \(position)"))) * 1_000
    }
}
