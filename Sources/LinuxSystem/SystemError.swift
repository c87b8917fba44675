internal import Glibc

/// A system call that failed: which one, on what, and why.
package struct SystemError: Error, Equatable, Sendable {
    /// The C function's name.
    package var call: String
    /// A path or address, where there is one.
    package var subject: String?
    package var errno: Int32

    package init(_ call: String, subject: String? = nil, errno: Int32) {
        self.call = call
        self.subject = subject
        self.errno = errno
    }

    /// The error of the call that has just failed on this thread.
    package static func last(_ call: String, subject: String? = nil) -> SystemError {
        SystemError(call, subject: subject, errno: Glibc.errno)
    }

    /// The system's own words, as strerror gives them.
    package var reason: String {
        guard let text = strerror(errno) else { return "error \(errno)" }
        return String(cString: text)
    }

    package var isAddressInUse: Bool { errno == EADDRINUSE }

    /// Nobody reads any more what is written.
    package var isBrokenPipe: Bool { errno == EPIPE }

    /// What happened in one sentence without the final stop.
    package var sentence: String {
        [subject, reason].compactMap(\.self).joined(separator: ": ")
    }
}

/// Repeats a call that a signal interrupted.
///
/// - Throws: `SystemError` when the call returns -1 for another reason.
@discardableResult
package func retryingInterrupts<Result: FixedWidthInteger & SignedInteger>(
    _ name: String, subject: String? = nil, _ call: () -> Result
) throws(SystemError) -> Result {
    while true {
        let result = call()
        if result != -1 { return result }
        if Glibc.errno != EINTR { throw SystemError.last(name, subject: subject) }
    }
}
