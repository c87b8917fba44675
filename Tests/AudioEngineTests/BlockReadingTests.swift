import LinuxSystem
import Testing
import WireProtocol

@testable import AudioEngine

@Suite("A sink that reads in blocks")
struct BlockReadingTests {
    /// A sink that has read `block` frames whenever the last are due, the first at second 0.
    private struct Sink {
        var block: Int64
        func readIndex(at seconds: Double) -> Int64 { (Int64(seconds * 48_000) / block + 1) * block }

        func tell(_ reading: inout BlockReading, at seconds: Double) {
            let index = readIndex(at: seconds)
            reading.note(
                readIndex: index, latency: Double(index) / 48_000 - seconds, at: BlockReadingTests.moment(seconds))
        }
    }

    private static func moment(_ seconds: Double) -> SteadyTime { SteadyTime(nanoseconds: 0) + seconds }
    private static func heard(at seconds: Double, margin: Int64 = 144) -> Int64 { Int64(seconds * 48_000) + margin }

    @Test("what it has read beyond the word's way is where the change begins")
    func inTime() {
        var reading = BlockReading()
        Sink(block: 480).tell(&reading, at: 0.002)
        #expect(reading.earliest(whenHeard: Self.heard(at: 0.002), at: Self.moment(0.002)) == .at(480))
    }

    @Test(
        "where it reads before, it is asked again just after, and then known, whatever its block",
        arguments: [24, 100, 240, 480, 1_200, 2_400] as [Int64])
    func known(block: Int64) throws {
        let sink = Sink(block: block)
        // Half a millisecond before a read is due, once the film has played a while.
        var now = Double(block) / 48_000 * 40 - 0.000_5
        var reading = BlockReading()
        sink.tell(&reading, at: now)
        for _ in 0..<3 {
            guard case .later(let seconds) = reading.earliest(whenHeard: Self.heard(at: now), at: Self.moment(now))
            else {
                break
            }
            now += seconds
            sink.tell(&reading, at: now)
        }
        let answer = reading.earliest(whenHeard: Self.heard(at: now), at: Self.moment(now))
        guard case .at(let index) = answer else { return #expect(Bool(false), "it is asked for ever") }
        // When the word arrives, with 3 ms on its way, that index has not been read, and none before it could be changed.
        let arrival = sink.readIndex(at: now + 0.003)
        #expect(index >= arrival && index <= arrival + max(block, 48))
    }

    @Test("a size that was seen is believed for the changes of one burst only")
    func belief() {
        let sink = Sink(block: 2_400)
        var reading = BlockReading()
        sink.tell(&reading, at: 0.049)
        sink.tell(&reading, at: 0.050_3)
        // The next change of a burst comes where little is left of the block.
        #expect(reading.earliest(whenHeard: 4_700 + 144, at: Self.moment(0.06)) == .at(7_200))
        #expect(
            reading.earliest(whenHeard: 4_700 + 144, at: Self.moment(0.098)).isLater(about: 0.002_3))
    }

    @Test("a look that comes long after the read says nothing of its size")
    func lateLook() {
        let sink = Sink(block: 480)
        var reading = BlockReading()
        sink.tell(&reading, at: 0.009)
        sink.tell(&reading, at: 1.009)
        #expect(reading.earliest(whenHeard: Self.heard(at: 1.009), at: Self.moment(1.009)).isLater(about: 0.001_3))
    }
}

extension BlockReading.Answer {
    fileprivate func isLater(about seconds: Double) -> Bool {
        if case .later(let told) = self { abs(told - seconds) < 0.000_1 } else { false }
    }
}
