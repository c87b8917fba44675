internal import Glibc

/// Gives the terminal back when the process dies of a fault of its own.
///
/// What the handler needs is prepared before, at addresses that never change: in a handler nothing may be allocated and
/// no lock taken (signal-safety(7)).
enum CrashRestore {
    private struct Record {
        var isArmed = false
        var input: Int32 = -1
        var output: Int32 = -1
        var mode = termios()
        var bytes: UnsafeMutablePointer<UInt8>?
        var count = 0
    }

    private static let signals = [SIGSEGV, SIGBUS, SIGILL, SIGABRT, SIGFPE, SIGTRAP]
    /// Of the handler's own stack, for a fault that is the overflow of the thread's.
    private static let stackBytes = 65_536

    // Unsafe: written by the one thread that has the terminal, and by the handler once that has died.
    nonisolated(unsafe) private static let record: UnsafeMutablePointer<Record> = {
        let record = UnsafeMutablePointer<Record>.allocate(capacity: 1)
        record.initialize(to: Record())
        return record
    }()

    // Unsafe: only the thread that has the terminal uses it. By the signal's number.
    nonisolated(unsafe) private static let previous: UnsafeMutablePointer<sigaction> = {
        let previous = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
        previous.initialize(repeating: sigaction(), count: 65)
        return previous
    }()

    /// From now on a fault sends `farewell` to `output` and gives `input` its mode back.
    static func arm(output: Int32, input: Int32, mode: termios, farewell: [UInt8]) {
        disarm()
        let bytes = UnsafeMutablePointer<UInt8>.allocate(capacity: farewell.count)
        bytes.initialize(from: farewell, count: farewell.count)
        record.pointee = Record(
            isArmed: true, input: input, output: output, mode: mode, bytes: bytes, count: farewell.count)
        giveStack()
        for signal in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = restoreAndDie
            action.sa_flags = SA_ONSTACK
            sigfillset(&action.sa_mask)
            sigaction(signal, &action, previous + Int(signal))
        }
    }

    static func disarm() {
        guard record.pointee.isArmed else { return }
        record.pointee.isArmed = false
        for signal in signals { sigaction(signal, previous + Int(signal), nil) }
        record.pointee.bytes?.deallocate()
        record.pointee.bytes = nil
    }

    /// Only this thread gets one, and only if it has none; it stays, since others may come to use it.
    private static func giveStack() {
        var stack = stack_t()
        guard sigaltstack(nil, &stack) == 0, stack.ss_flags & Int32(SS_DISABLE) != 0 else { return }
        stack.ss_sp = UnsafeMutableRawPointer.allocate(byteCount: stackBytes, alignment: 16)
        stack.ss_size = stackBytes
        stack.ss_flags = 0
        sigaltstack(&stack, nil)
    }

    /// In the end the system ends the process with the signal; not who handled it before: that is the Swift runtime,
    /// whose debugger would ask what to do on the terminal that has just been given back.
    private static let restoreAndDie: @convention(c) (Int32) -> Void = { signal in
        let record = CrashRestore.record
        if record.pointee.isArmed {
            record.pointee.isArmed = false
            var sent = 0
            while sent < record.pointee.count, let bytes = record.pointee.bytes {
                let count = write(record.pointee.output, bytes + sent, record.pointee.count - sent)
                if count <= 0 { break }
                sent += count
            }
            tcsetattr(record.pointee.input, TCSANOW, &record.pointee.mode)
        }
        Glibc.signal(signal, SIG_DFL)
        // It waits until this handler returns.
        raise(signal)
    }
}
