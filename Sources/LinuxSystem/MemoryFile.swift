internal import CLinux
internal import Glibc

/// A file that lies in memory and is gone with this object, or with the process, however that ends (memfd_create(2)).
package final class MemoryFile: Sendable {
    private let descriptor: FileDescriptor

    /// Holds `bytes`; `name` is what /proc shows.
    ///
    /// - Throws: `SystemError` of the first call that failed.
    package init(_ name: String, bytes: [UInt8]) throws(SystemError) {
        let raw = try retryingInterrupts("memfd_create", subject: name) { allspeak_memory_file(name) }
        let file = FileDescriptor(owning: raw)
        try Files.write(bytes, to: file, name)
        descriptor = file
    }

    /// Where this process, as long as this object lives, can open it like any file.
    package var path: String { "/proc/self/fd/\(descriptor.raw)" }
}
