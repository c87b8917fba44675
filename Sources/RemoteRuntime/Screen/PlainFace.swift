internal import RemoteScreen
internal import Terminal
internal import TerminalUI
internal import TextScreen
internal import WireProtocol

/// The remote as lines, for a screen reader: the same keys, and each thing told once.
final class PlainFace: RemoteFace {
    private let terminal: PlainTerminal
    private var reader = PlainReader()
    private let console = Console.standard

    init(_ terminal: PlainTerminal) {
        self.terminal = terminal
    }

    var inputDescriptor: Int32 { terminal.inputDescriptor }
    /// Lines have no end, and no list is drawn.
    let size = ScreenSize(columns: 80, rows: 24)
    let measure = TextMeasure.ofTerminals

    func readInput() -> [ScreenInput]? { try? terminal.readInput() }

    func resized() -> ScreenSize { size }

    func show(_ screen: RemoteScreen, now: SteadyTime) {
        for line in reader.say(screen, now: now) { console.say(line) }
    }

    func nextDeadline(_ screen: RemoteScreen, after now: SteadyTime) -> SteadyTime? {
        reader.nextDeadline(screen, after: now)
    }

    func redraw() {}

    func ringBell() { terminal.bell() }

    func suspend() -> [ScreenInput] {
        terminal.suspend()
        return []
    }

    func continued() -> [ScreenInput] {
        terminal.continued()
        return []
    }

    func close() { terminal.close() }
}
