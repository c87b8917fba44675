internal import CLibFuzzer
internal import Glibc

/// What each input is tried with; libFuzzer's callback can carry no context.
nonisolated(unsafe) private var attempt: ([UInt8]) -> Void = { _ in }

/// Hands libFuzzer `body` to call with its inputs, and ends the program when it is done.
///
/// libFuzzer's own `main` is passed over, because the package manager gives each program one from its `main.swift`.
/// A trap inside `body` is a finding: libFuzzer writes the input down.
package func fuzz(_ body: @escaping ([UInt8]) -> Void) -> Never {
    attempt = body
    var count = CommandLine.argc
    var arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
        LLVMFuzzerRunDriver(&count, &arguments) { data, size in
            // A copy of its own size, so that the address sanitizer sees a read past its end.
            attempt(Array(UnsafeBufferPointer(start: data, count: size)))
            return 0
        })
}

/// Stops with `rule` as the finding when it does not hold.
///
/// Not `precondition`, whose text a release build leaves out.
package func must(
    _ holds: Bool, _ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
) {
    if !holds { fatalError("broken rule: " + rule(), file: file, line: line) }
}

/// What `body` gives; a thrown error stops with `rule` as the finding.
package func mustNotThrow<Value, Failure: Error>(
    _ rule: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line,
    _ body: () throws(Failure) -> Value
) -> Value {
    do {
        return try body()
    } catch {
        fatalError("broken rule: \(rule()): \(error)", file: file, line: line)
    }
}
