import Testing
import WireProtocol

@testable import RemoteCore

@Suite("Volume throttle") struct VolumeThrottleTests {
    private func drain(_ throttle: inout VolumeThrottle, until end: Double) -> [VolumeThrottle.Release] {
        var out: [VolumeThrottle.Release] = []
        while throttle.isPending, let deadline = throttle.nextDeadline, deadline <= at(end) {
            #expect(throttle.release(at: deadline + -0.001) == nil, "nothing goes out early")
            if let release = throttle.release(at: deadline) { out.append(release) }
        }
        return out
    }

    @Test("the last value of a window goes out at its end") func lastWins() {
        var throttle = VolumeThrottle()
        for (time, value) in [(0, 0.1), (0.03, 0.2), (0.09, 0.3)] { throttle.turn(to: value, now: at(time)) }
        #expect(throttle.nextDeadline == at(0.1))
        #expect(drain(&throttle, until: 1) == [.send(0.3)])
    }

    @Test("a long turn is heard while it lasts") func longTurn() {
        var throttle = VolumeThrottle()
        var out: [VolumeThrottle.Release] = []
        for step in 0...10 {
            out += drain(&throttle, until: Double(step) * 0.05)
            throttle.turn(to: Double(step) / 10, now: at(Double(step) * 0.05))
        }
        out += drain(&throttle, until: 10)
        #expect(out.count == 6)
        #expect(out.last == .send(1))
    }

    @Test("a value equal to the last sent is not sent again") func equal() {
        var throttle = VolumeThrottle()
        throttle.turn(to: 0.4, now: at(0))
        #expect(drain(&throttle, until: 0.2) == [.send(0.4)])
        throttle.turn(to: 0.6, now: at(0.3))
        throttle.turn(to: 0.4, now: at(0.35))
        #expect(drain(&throttle, until: 1) == [.nothing])
    }

    @Test("a value the host already has is not sent") func equalToHost() {
        var throttle = VolumeThrottle()
        throttle.hostReported(0.7)
        throttle.turn(to: 0.7, now: at(0))
        #expect(drain(&throttle, until: 1) == [.nothing])
    }

    @Test("going back to a value that somebody else changed meanwhile is sent") func changedElsewhere() {
        var throttle = VolumeThrottle()
        throttle.turn(to: 0.4, now: at(0))
        #expect(drain(&throttle, until: 0.2) == [.send(0.4)])
        throttle.hostReported(0.9)
        throttle.turn(to: 0.4, now: at(5))
        #expect(drain(&throttle, until: 6) == [.send(0.4)])
    }

    @Test("follows the host from 1.2 s after the last turn") func follows() {
        var throttle = VolumeThrottle()
        #expect(throttle.shown(at: at(0)) == nil)
        throttle.hostReported(0.5)
        #expect(throttle.shown(at: at(0)) == 0.5)
        throttle.turn(to: 0.8, now: at(1))
        _ = throttle.release(at: at(1.1))
        throttle.hostReported(0.55)
        #expect(throttle.shown(at: at(1)) == 0.8)
        #expect(throttle.shown(at: at(2.199)) == 0.8)
        #expect(throttle.nextDeadline == at(2.2))
        #expect(throttle.settle(at: at(2.199)) == false)
        #expect(throttle.shown(at: at(2.2)) == 0.55)
        #expect(throttle.settle(at: at(2.2)) == true)
        #expect(throttle.settle(at: at(2.3)) == false)
        #expect(throttle.nextDeadline == nil)
    }

    @Test("cancel drops the unsent turn and shows the host's value") func cancel() {
        var throttle = VolumeThrottle()
        throttle.hostReported(0.5)
        throttle.turn(to: 0.8, now: at(0))
        throttle.cancel()
        #expect(throttle.release(at: at(1)) == nil)
        #expect(throttle.shown(at: at(0)) == 0.5)
        #expect(throttle.nextDeadline == nil)
    }

    @Test("a value that did not arrive goes out again") func failed() {
        var throttle = VolumeThrottle()
        throttle.turn(to: 0.4, now: at(0))
        #expect(throttle.flush() == .send(0.4))
        throttle.sendingFailed()
        throttle.turn(to: 0.4, now: at(0.5))
        #expect(throttle.flush() == .send(0.4))
    }

    @Test("a new connection knows nothing of what the host has") func reconnected() {
        var throttle = VolumeThrottle()
        throttle.hostReported(0.4)
        throttle.disconnected()
        throttle.turn(to: 0.4, now: at(5))
        #expect(throttle.flush() == .send(0.4))
    }

    @Test("values are clamped", arguments: [(-1.0, 0.0), (2.0, 1.0), (0.5, 0.5)])
    func clamps(value: Double, sent: Double) {
        var throttle = VolumeThrottle()
        throttle.turn(to: value, now: at(0))
        #expect(throttle.flush() == .send(sent))
        #expect(throttle.flush() == nil)
    }
}
