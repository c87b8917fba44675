import Testing
import WireProtocol

@testable import RemoteCore

/// The two machines of the hand, event by event: what is pending, when it is due, what is handed out.
@Suite("Skip and volume: every event in every state") struct KnobGridTests {
    enum SkipState: CaseIterable { case empty, pending, zero }
    enum SkipEvent: CaseIterable { case tap, early, due, flush, cancel }

    /// Sum afterwards, whether it is pending, and what came out.
    private typealias SkipResult = (sum: Double, pending: Bool, out: SkipCoalescer.Release?)

    private func expected(_ state: SkipState, _ event: SkipEvent) -> SkipResult {
        switch (state, event) {
        case (.empty, .tap): (5, true, nil)
        case (.empty, _): (0, false, nil)
        case (.pending, .tap): (8, true, nil)
        case (.pending, .early): (3, true, nil)
        case (.pending, .due), (.pending, .flush): (0, false, .send(3))
        case (.pending, .cancel): (0, false, nil)
        case (.zero, .tap): (5, true, nil)
        case (.zero, .early): (0, true, nil)
        case (.zero, .due), (.zero, .flush): (0, false, .nothing)
        case (.zero, .cancel): (0, false, nil)
        }
    }

    @Test("skip", arguments: SkipState.allCases, SkipEvent.allCases)
    func skip(state: SkipState, event: SkipEvent) {
        var coalescer = SkipCoalescer()
        if state != .empty { coalescer.tap(3, now: at(0)) }
        if state == .zero { coalescer.tap(-3, now: at(0)) }
        var out: SkipCoalescer.Release?
        switch event {
        case .tap: coalescer.tap(5, now: at(0.1))
        case .early: out = coalescer.release(at: at(0.249))
        case .due: out = coalescer.release(at: at(0.25))
        case .flush: out = coalescer.flush()
        case .cancel: coalescer.cancel()
        }
        let expected = expected(state, event)
        #expect(coalescer.pendingSum == expected.sum && coalescer.isPending == expected.pending && out == expected.out)
        #expect((coalescer.nextDeadline != nil) == expected.pending)
    }

    enum VolumeState: CaseIterable { case fresh, following, pending, settling, settled }
    enum VolumeEvent: CaseIterable { case turn, report, early, due, flush, cancel, set, settle, disconnected }

    /// Value shown just after the event, and what came out.
    ///
    /// The host had 0.5, the hand 0.8, the event brings 0.3.
    private func expected(_ state: VolumeState, _ event: VolumeEvent) -> (shown: Double?, out: VolumeThrottle.Release?)
    {
        switch (state, event) {
        case (_, .turn), (_, .set): (0.3, nil)
        case (.fresh, .report), (.following, .report), (.settled, .report): (0.3, nil)
        case (.fresh, _): (nil, nil)
        case (.following, _), (.settled, _): (0.5, nil)
        case (.pending, .due), (.pending, .flush): (0.8, .send(0.8))
        case (.pending, .cancel), (.pending, .disconnected): (0.5, nil)
        case (.pending, _), (.settling, _): (0.8, nil)
        }
    }

    @Test("volume", arguments: VolumeState.allCases, VolumeEvent.allCases)
    func volume(state: VolumeState, event: VolumeEvent) {
        var throttle = VolumeThrottle()
        if state != .fresh { throttle.hostReported(0.5) }
        if state != .fresh, state != .following { throttle.turn(to: 0.8, now: at(0)) }
        if state == .settling || state == .settled { _ = throttle.flush() }
        if state == .settled { _ = throttle.settle(at: at(1.2)) }
        let now = state == .settled ? at(1.3) : at(0.1)
        var out: VolumeThrottle.Release?
        switch event {
        case .turn: throttle.turn(to: 0.3, now: now)
        case .report: throttle.hostReported(0.3)
        case .early: out = throttle.release(at: at(0.099))
        case .due: out = throttle.release(at: now)
        case .flush: out = throttle.flush()
        case .cancel: throttle.cancel()
        case .set: throttle.set(0.3, now: now)
        case .settle:
            let settled = throttle.settle(at: now)
            #expect(!settled)
        case .disconnected: throttle.disconnected()
        }
        let expected = expected(state, event)
        #expect(throttle.shown(at: now) == expected.shown)
        #expect(out == expected.out)
    }
}
