internal import CLinux

/// The memory of this process.
package enum ProcessMemory {
    /// Gives what has been freed back to the system; without, much of it stays with the process for later.
    ///
    /// Takes about a millisecond, in which other threads that allocate wait.
    package static func giveBack() {
        malloc_trim(0)
    }
}
