import Glibc
import LinuxSystem
import Playback
import TestKit
import WireProtocol

@testable import AudioEngine

/// A controller between a device that the test moves and real decoders of real files: what lies at each index of the device
/// can be compared with the film, sample for sample.
final class RealBench {
    let loop = SoundLoop()
    let device = FakeDevice()
    let log = EventLog()
    let controller: SoundController
    private let decoding: DecodingThread
    private let reports = Mailbox<DecodingThread.Report>()
    private let paths: [String]
    /// The whole of each track, as it is when it is played through.
    private lazy var tracks = paths.map { (try? Reading.all($0)) ?? [] }
    private var epoch: Epoch = 0

    /// Stands paused at `position` seconds of the first of `paths`, which are called "0", "1" and so on.
    init(_ paths: [String], position: Double) throws {
        self.paths = paths
        var sources: [TrackSource] = []
        for path in paths { sources.append(try TrackSource(path: path)) }
        let lengths = sources.enumerated().map { SoundController.Track(id: "\($0)", duration: $1.duration) }
        decoding = try DecodingThread(sources: sources) { [reports] in reports.post($0) }
        controller = SoundController(
            tracks: lengths, active: 0, position: Format.frames(seconds: position), device: device, decoding: decoding,
            loop: loop, emit: { [log] in log.note($0) })
        device.appear()
        receive()
    }

    deinit {
        decoding.shutDown()
        reports.close()
    }

    var position: Double { Format.seconds(frames: controller.resting) }

    /// Plays, and waits until the device has begun to sound.
    func play() {
        epoch += 1
        controller.handle(.request(.play(epoch: epoch)))
        for _ in 0..<10 where controller.programme.stretch(at: Int64(device.audible))?.feed == nil { advance(480) }
    }

    /// The film frame that is heard at index 0 of the device, or would be: as long as nobody seeks or pauses it stays.
    var base: Int64 {
        guard let stretch = controller.programme.last else { return 0 }
        return stretch.film - stretch.start
    }

    /// The index from which on the newest stretch sounds at its full level.
    var faded: Int64 { (controller.programme.last?.start ?? 0) + Int64(Ramp.length) }

    func pause() {
        epoch += 1
        controller.handle(.request(.pause(epoch: epoch)))
        advance(4_800)
        if device.isStopping { device.answerStop() }
    }

    func ask(_ track: Int) {
        epoch += 1
        controller.handle(.request(.switchTrack(epoch: epoch, trackID: "\(track)")))
    }

    /// Lets `frames` sound, no faster than they are decoded.
    func advance(_ frames: Int64) {
        var rest = frames
        while rest > 0 {
            let step = min(rest, 2_400)
            if let ring = controller.active?.ring {
                for _ in 0..<20_000 where !ring.isComplete && ring.room > FrameRing.capacity / 2 { usleep(500) }
            }
            device.advance(step)
            rest -= step
        }
    }

    /// Waits for what the decoding thread tells, and hands it over; `false` when nothing comes in ten seconds.
    @discardableResult
    func receive() -> Bool {
        var poll = pollfd(fd: reports.descriptor, events: Int16(POLLIN), revents: 0)
        guard Glibc.poll(&poll, 1, 10_000) > 0 else { return false }
        for report in reports.drain() { controller.handle(.decoding(report)) }
        return true
    }

    /// How far what was written at `index` is from frame `film` of `track`, at most, in `count` frames.
    func difference(at index: Int64, count: Int, track: Int, film: Int64) -> Float {
        var worst: Float = 0
        for offset in 0..<Int64(count) {
            let place = Int(film + offset) * 2
            let heard = device.content[index + offset]
            let inside = place >= 0 && place + 1 < tracks[track].count
            let (left, right) = inside ? (tracks[track][place], tracks[track][place + 1]) : (0, 0)
            worst = max(worst, abs((heard?.film ?? 9) - left), abs((heard?.track ?? 9) - right))
        }
        return worst
    }

    /// What the left side has to be `step` frames after the start of a fade from `old` to `new`, at frame `film` of both.
    func faded(from old: Int, to new: Int, step: Int, film: Int64) -> Float {
        let place = Int(film) * 2
        return tracks[old][place] * Ramp.falling(from: 0).value(at: step)
            + tracks[new][place] * Ramp.rising(from: 0).value(at: step)
    }
}
