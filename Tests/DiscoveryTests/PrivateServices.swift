import Foundation
import Testing

/// The services `Tests/Support/with-services` runs beside the tests.
enum PrivateServices {
    struct Missing: Error, CustomStringConvertible {
        let description =
            "This test talks to a real Avahi daemon of its own: run Tests/run, or Tests/Support/with-services swift test"
    }

    /// Fails the test, rather than skip it, where the services are not there.
    static func require() throws {
        guard ProcessInfo.processInfo.environment["ALLSPEAK_TEST_SERVICES"] != nil else { throw Missing() }
    }

    /// Stops or starts one of them, as `Tests/Support/service` describes.
    static func control(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Support/service")
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }
}

/// What an advertiser or browser has told, in order; `next` waits for what matches and drops what came before it.
final class Events<Event: Sendable>: Sendable {
    let report: @Sendable (Event) -> Void
    private let stream: AsyncStream<Event>

    init() {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .unbounded)
        self.stream = stream
        report = { continuation.yield($0) }
    }

    /// Waits without limit: the suites have a time limit.
    @discardableResult
    func next(where matches: @Sendable (Event) -> Bool) async throws -> Event {
        for await event in stream where matches(event) { return event }
        throw CancellationError()
    }
}
