internal import LinuxSystem
internal import RemoteScreen
internal import Terminal
internal import TextScreen
internal import Transport
internal import WireProtocol

/// The remote as a picture that fills the terminal.
///
/// Confined to its loop.
final class ScreenFace: RemoteFace {
    private let terminal: Terminal
    private let loop: EventLoop
    private var shown: Canvas?
    /// Set while the terminal takes no more.
    private var watch: EventLoop.Watch?

    init(_ terminal: Terminal, loop: EventLoop) {
        self.terminal = terminal
        self.loop = loop
    }

    var inputDescriptor: Int32 { terminal.inputDescriptor }
    var size: ScreenSize { terminal.size }
    var measure: TextMeasure { terminal.measure }

    func readInput() -> [ScreenInput]? { try? terminal.readInput() }

    func resized() -> ScreenSize {
        shown = nil
        return terminal.resized()
    }

    func show(_ screen: RemoteScreen, now: SteadyTime) {
        let canvas = screen.canvas(at: now)
        guard canvas != shown else { return }
        shown = canvas
        terminal.draw(canvas)
        catchUpLater()
    }

    func nextDeadline(_ screen: RemoteScreen, after now: SteadyTime) -> SteadyTime? { screen.nextDeadline(after: now) }

    func redraw() { shown = nil }

    func ringBell() { terminal.bell() }

    func suspend() -> [ScreenInput] {
        shown = nil
        return terminal.suspend()
    }

    func continued() -> [ScreenInput] {
        shown = nil
        return terminal.continued()
    }

    func close() { terminal.close() }

    /// A slow line must not hold up the keys: what it has not taken goes out when it can.
    private func catchUpLater() {
        guard terminal.isBehind, watch == nil else { return }
        watch = try? loop.watch(terminal.outputDescriptor, for: .writable) { [weak self] _ in
            guard let self else { return }
            terminal.catchUp()
            guard !terminal.isBehind, let watch else { return }
            loop.unwatch(watch, of: terminal.outputDescriptor)
            self.watch = nil
        }
    }
}
