internal import LinuxSystem
package import Playback

/// A track to open: its name in the session and its file.
package struct TrackFile: Equatable, Sendable {
    package var id: String
    package var path: String

    package init(id: String, path: String) {
        self.id = id
        self.path = path
    }
}

/// Where the sound goes.
package enum OutputChoice: Equatable, Sendable {
    /// The sound server's sink of that name, or its default one.
    case pulse(sink: String?)
    /// The monotonic clock, without a device.
    case clock
}

extension OutputChoice {
    fileprivate func device(on loop: SoundLoop) -> any OutputDevice {
        switch self {
        case .pulse(let sink): PulseOutput(loop: loop, sink: sink)
        case .clock: ClockOutput(loop: loop)
        }
    }
}

/// Decodes with FFmpeg and plays through PulseAudio or on a clock.
///
/// Three threads: whoever calls `perform` only leaves a message; the sound thread (`SoundController`, `SoundLoop`) owns all
/// state and the device; the decoding thread fills rings that the sound thread empties.
package final class StreamingAudioEngine: Playback.AudioEngine {
    /// Seconds, by track.
    package let durations: [String: Double]
    let mailbox: Mailbox<SoundController.Message>
    let threads: Guarded<Threads?>
    /// Every track there has been, by its place.
    let roster: Guarded<Roster>

    struct Threads {
        let sound: WorkerThread
        let decoding: DecodingThread
    }

    /// Opens every track and stands paused at `position` seconds of `active`.
    ///
    /// Does not wait for the sound server: an `output` event tells when it is there.
    /// - Throws: `EngineError` with the first track that cannot be played, and why.
    package init(
        tracks: [TrackFile], active: String, position: Double, output: OutputChoice,
        onEvent: @escaping @Sendable (EngineEvent) -> Void
    ) throws(EngineError) {
        guard let first = tracks.firstIndex(where: { $0.id == active }) else {
            throw EngineError(trackID: active, path: "", fault: .unknownTrack)
        }
        ProcessMemory.returnLargeBlocks()
        var sources: [TrackSource] = []
        for track in tracks {
            do throws(EngineError.Fault) {
                let source = try TrackSource(path: track.path)
                if track.id != active { source.putAway() }
                sources.append(source)
            } catch {
                throw EngineError(trackID: track.id, path: track.path, fault: error)
            }
        }
        let lengths = zip(tracks, sources).map { SoundController.Track(id: $0.id, duration: $1.duration) }
        durations = Dictionary(
            lengths.map { ($0.id, Format.seconds(frames: $0.duration)) }, uniquingKeysWith: { first, _ in first })
        roster = Guarded(Roster(files: tracks, tracks: lengths))
        let mailbox = Mailbox<SoundController.Message>()
        self.mailbox = mailbox
        do throws(SystemError) {
            let decoding = try DecodingThread(sources: sources) { mailbox.post(.decoding($0)) }
            do throws(SystemError) {
                let start = Format.frames(seconds: position)
                let sound = try WorkerThread("sound") {
                    let loop = SoundLoop()
                    let device = output.device(on: loop)
                    let controller = SoundController(
                        tracks: lengths, active: first, position: start, device: device, decoding: decoding,
                        loop: loop, emit: onEvent)
                    loop.watch(mailbox.descriptor) { for message in mailbox.drain() { controller.handle(message) } }
                    loop.run()
                    loop.unwatchAll()
                    // The device's objects need the loop until the very end.
                    withExtendedLifetime(loop) { device.close() }
                }
                threads = Guarded(Threads(sound: sound, decoding: decoding))
            } catch {
                decoding.shutDown()
                throw error
            }
        } catch {
            throw EngineError(trackID: active, path: "", fault: .noThread(error.reason))
        }
    }

    deinit {
        shutDown()
    }

    package func perform(_ request: EngineRequest) {
        mailbox.post(.request(request))
    }

    package func shutDown() {
        let running = threads.withLock { threads in
            defer { threads = nil }
            return threads
        }
        guard let running else { return }
        mailbox.post(.shutDown)
        running.sound.join()
        mailbox.close()
        running.decoding.shutDown()
    }
}
