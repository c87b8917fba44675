internal import Glibc
internal import LinuxSystem

/// Ends the process when an orderly end takes too long: whoever stops a host gets it stopped.
enum LastResort {
    /// The exit code stays 0, since everything that must not be lost is written by then.
    static func exit(after seconds: Double) {
        let thread = try? WorkerThread("last resort") {
            usleep(UInt32(seconds * 1e6))
            _exit(0)
        }
        thread?.detach()
    }
}
