internal import CLinux

/// The memory of this process.
package enum ProcessMemory {
    /// Has blocks of a mebibyte and more go back to the system as soon as they are freed.
    ///
    /// Left to itself, glibc takes the first such block that is freed as a sign to keep the next ones, up to 32 MiB of each
    /// thread's (mallopt(3), M_MMAP_THRESHOLD).
    package static func returnLargeBlocks() {
        mallopt(M_MMAP_THRESHOLD, 1 << 20)
    }
}
