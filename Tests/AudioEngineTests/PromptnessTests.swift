import Testing

@testable import AudioEngine

@Suite("How far ahead of the ear a change begins")
struct PromptnessTests {
    @Test("a server that answers at once is given a little over two milliseconds")
    func awake() {
        var promptness = Promptness()
        for _ in 0..<20 { promptness.note(0.000_1, latency: 0) }
        #expect(promptness.margin > 96 && promptness.margin < 130)
    }

    @Test("a late one is given time at once, and less again when it has caught up")
    func late() {
        var promptness = Promptness()
        promptness.note(0.008, latency: 0)
        #expect(promptness.margin == 1_248)
        promptness.note(0.000_1, latency: 0)
        #expect(promptness.margin < 1_248 && promptness.margin > 900)
        for _ in 0..<30 { promptness.note(0.000_1, latency: 0) }
        #expect(promptness.margin < 130)
    }

    @Test("a slow machine's own mixing counts as well")
    func mixing() {
        var promptness = Promptness()
        for _ in 0..<20 { promptness.note(0.000_1, latency: 0) }
        let before = promptness.margin
        promptness.noteMixing(0.004)
        #expect(promptness.margin == before + 288)
    }

    @Test("a sink reads as much at a time as its latency has lately been at the most")
    func block() {
        var promptness = Promptness()
        for latency in [0.004, 0.001, 0.005, 0.002] { promptness.note(0.000_1, latency: latency) }
        #expect(promptness.block > 210 && promptness.block <= 240)
        promptness.note(0.000_1, latency: 1.9)
        #expect(promptness.block == 2_400, "what a sink had read while it slept says nothing")
        for _ in 0..<100 { promptness.note(0.000_1, latency: 0.001) }
        #expect(promptness.block < 60)
    }

    @Test("no more than thirty milliseconds, however long it hangs; a clock that was set back takes nothing away")
    func bounds() {
        var promptness = Promptness()
        promptness.note(12, latency: 0)
        #expect(promptness.margin == 1_440)
        promptness = Promptness()
        promptness.note(-5, latency: 0)
        #expect(promptness.margin >= 96)
    }
}
