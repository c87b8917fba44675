import Foundation
internal import LinuxSystem
package import Probe
internal import WireProtocol

/// A device that has a third of a second of latency and cannot take back what it was given: a sink that writes into a
/// pipe, which is emptied as fast as sound sounds.
package final class PipeSink {
    private final class Store: Sendable {
        let state = Guarded(State())
    }

    private struct State {
        var samples: [Float] = []
        var isOpen = true
    }

    private let folder: TemporaryFolder
    private let origin: SteadyTime
    private let store = Store()

    /// Loads the sink `name` into the server, 48 kHz stereo, with a pipe of 64 KiB: 0.34 s of sound.
    package init(_ name: String, on server: PulseServer) throws {
        folder = try TemporaryFolder("pipe")
        let path = folder("sound")
        try server.control(
            "load-module", "module-pipe-sink", "sink_name=\(name)", "file=\(path)", "rate=48000", "channels=2",
            "format=s16le", "sink_properties=device.description=\(name)")
        let handle = open(path, O_RDONLY | O_NONBLOCK)
        guard handle >= 0 else { throw TestFailure("the sink's pipe cannot be opened: \(errno)") }
        // Filled up to the pages in which a pipe gives room.
        var waiting: Int32 = 0
        for _ in 0..<500 where waiting < 65_536 - 8_192 {
            guard ioctl(handle, UInt(FIONREAD), &waiting) >= 0 else { break }
            usleep(5_000)
        }
        origin = MonotonicClock.now()
        Thread.detachNewThread { [store, origin] in
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            var taken = 0
            while store.state.withLock({ $0.isOpen }) {
                // The server takes what waits in the pipe for not sounded yet, so the position is off by this at most.
                usleep(500)
                let due = Int((MonotonicClock.now() - origin) * 48_000) - taken
                if due <= 0 { continue }
                let count = read(handle, &buffer, min(due * 4, buffer.count))
                // What was not there in time is silence; the clock of a device goes on.
                let frames = max(0, count) / 4
                let heard = buffer.withUnsafeBytes { bytes in
                    (0..<frames).map {
                        Float(bytes.loadUnaligned(fromByteOffset: $0 * 4, as: Int16.self)) / 32_768
                    }
                }
                store.state.withLock {
                    $0.samples += heard + [Float](repeating: 0, count: due - frames)
                }
                taken += due
            }
            close(handle)
        }
    }

    deinit {
        store.state.withLock { $0.isOpen = false }
    }

    /// What has come out of the pipe so far.
    package func recording() -> Recording {
        Recording(samples: store.state.withLock { $0.samples }, origin: origin)
    }
}
