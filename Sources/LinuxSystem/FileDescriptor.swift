internal import Glibc

/// An open descriptor and the duty to close it.
package struct FileDescriptor: ~Copyable, Sendable {
    package let raw: Int32

    /// Takes over `raw`, which nobody else may close.
    package init(owning raw: Int32) {
        self.raw = raw
    }

    deinit {
        close(raw)
    }
}
