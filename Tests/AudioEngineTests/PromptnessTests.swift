import Testing

@testable import AudioEngine

@Suite("How far ahead of the ear a change begins")
struct PromptnessTests {
    @Test("a server that answers at once is given a little over two milliseconds")
    func awake() {
        var promptness = Promptness()
        for _ in 0..<20 { promptness.note(0.000_1) }
        #expect(promptness.margin > 96 && promptness.margin < 130)
    }

    @Test("a late one is given time at once, and less again when it has caught up")
    func late() {
        var promptness = Promptness()
        promptness.note(0.008)
        #expect(promptness.margin == 1_248)
        promptness.note(0.000_1)
        #expect(promptness.margin < 1_248 && promptness.margin > 900)
        for _ in 0..<30 { promptness.note(0.000_1) }
        #expect(promptness.margin < 130)
    }

    @Test("a slow machine's own mixing counts as well")
    func mixing() {
        var promptness = Promptness()
        for _ in 0..<20 { promptness.note(0.000_1) }
        let before = promptness.margin
        promptness.noteMixing(0.004)
        #expect(promptness.margin == before + 288)
    }

    @Test("no more than thirty milliseconds, however long it hangs; a clock that was set back takes nothing away")
    func bounds() {
        var promptness = Promptness()
        promptness.note(12)
        #expect(promptness.margin == 1_440)
        promptness = Promptness()
        promptness.note(-5)
        #expect(promptness.margin >= 96)
    }
}
