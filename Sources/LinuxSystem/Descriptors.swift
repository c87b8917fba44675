internal import Glibc

/// The descriptors of this process: the three every program starts with, and how many there may be.
package enum Descriptors {
    /// Opens those of 0, 1 and 2 that whoever started this program has closed.
    ///
    /// Else the next file or socket would take the number, and be written to as the standard output. They lead nowhere:
    /// nothing can be read, and writing fails as on the closed one. To be called before anything is opened.
    package static func fillStandardGaps() {
        for number in Int32(0)...2 where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is given out, which is this one.
            _ = open("/dev/null", O_RDONLY)
        }
    }

    /// Has the system allow `wanted` descriptors at once, where it may be asked for them; gives how many it allows.
    package static func allow(_ wanted: Int) -> Int {
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return wanted }
        guard limit.rlim_cur < rlim_t(wanted) else { return Int(clamping: limit.rlim_cur) }
        var raised = limit
        raised.rlim_cur = min(rlim_t(wanted), limit.rlim_max)
        return Int(clamping: setrlimit(resource, &raised) == 0 ? raised.rlim_cur : limit.rlim_cur)
    }
}
