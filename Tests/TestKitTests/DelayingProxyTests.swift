import Foundation
import LinuxSystem
import TestKit
import Testing
import WireProtocol

@Suite("A delaying proxy")
struct DelayingProxyTests {
    /// A port that gives back what it is sent, and ends when the other side does.
    private static func echo() throws -> FakePeer {
        try FakePeer { descriptor in
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count <= 0 { return }
                FakePeer.say(String(decoding: buffer[..<count], as: UTF8.self), on: descriptor)
            }
        }
    }

    @Test("every piece comes later by the base both ways, whole and in order")
    func delays() throws {
        let echo = try Self.echo()
        let proxy = try DelayingProxy(to: echo.port, .init(base: 0.02, jitter: 0.06, seed: 1))
        defer { withExtendedLifetime(proxy) {} }
        let client = try RawClient(port: proxy.port)
        var sent: [SteadyTime] = []
        for number in 0..<40 {
            sent.append(MonotonicClock.now())
            client.send("line \(number)")
            usleep(5_000)
        }
        _ = client.log.first(within: 20) { $0.text == "line 39" ? true : nil }
        let lines = client.log.lines
        #expect(lines.map(\.text) == (0..<40).map { "line \($0)" })
        let times = zip(lines, sent).map { $0.at - $1 }
        #expect(times.allSatisfy { $0 >= 0.04 })
        // Some were held up, or it would be no jitter.
        #expect((times.max() ?? 0) > 0.06)
    }

    @Test("a large amount passes unchanged, and the end behind it")
    func large() throws {
        let text = (0..<40_000).map { "\($0)\n" }.joined()
        let source = try FakePeer { FakePeer.say(text, on: $0) }
        let proxy = try DelayingProxy(to: source.port, .init(base: 0, jitter: 0.002, seed: 2))
        defer { withExtendedLifetime(proxy) {} }
        let client = try RawClient(port: proxy.port)
        #expect(client.log.waitForEnd(within: 20))
        #expect(client.log.text == text)
    }

    @Test("the end of one side reaches the other")
    func end() throws {
        let saw = Guarded(false)
        let listener = try FakePeer { descriptor in
            var byte: UInt8 = 0
            while read(descriptor, &byte, 1) > 0 {}
            saw.withLock { $0 = true }
        }
        let proxy = try DelayingProxy(to: listener.port, .init(base: 0.01, jitter: 0, seed: 3))
        defer { withExtendedLifetime(proxy) {} }
        let client = try RawClient(port: proxy.port)
        client.send("bye")
        client.hangUp()
        #expect(client.log.waitForEnd(within: 20))
        for _ in 0..<2_000 where !saw.withLock({ $0 }) { usleep(1_000) }
        #expect(saw.withLock { $0 })
    }

    @Test("the same seed draws the same delays, evenly from the base to base and jitter; each direction its own")
    func seeds() {
        let delays = DelayingProxy.Delays(base: 0.01, jitter: 0.1, seed: 7)
        func drawn(_ delays: DelayingProxy.Delays, lane: UInt64) -> [Double] {
            (0..<1_000).map { delays.seconds(lane: lane, number: $0) }
        }
        let one = drawn(delays, lane: 0)
        #expect(one == drawn(delays, lane: 0))
        #expect(one != drawn(delays, lane: 1))
        #expect(one != drawn(.init(base: 0.01, jitter: 0.1, seed: 8), lane: 0))
        #expect(one.allSatisfy { (0.01..<0.11).contains($0) })
        #expect(abs(one.reduce(0, +) / 1_000 - 0.06) < 0.005)
        #expect((one.min() ?? 1) < 0.011 && (one.max() ?? 0) > 0.109)
    }
}
