internal import LinuxSystem
internal import Playback
internal import TerminalUI
internal import WireProtocol

final class FakeEngine: AudioEngine {
    let onEvent: @Sendable (EngineEvent) -> Void
    init(_ onEvent: @escaping @Sendable (EngineEvent) -> Void) { self.onEvent = onEvent }
    func perform(_ request: EngineRequest) {
        switch request {
        case .locate(let e, let p, let playing): onEvent(.anchor(epoch: e, position: p, at: MonotonicClock.now(), isRunning: playing))
        case .switchTrack(let e, let t): onEvent(.switched(epoch: e, trackID: t, duration: 600))
        default: break
        }
    }
    func shutDown() {}
}
struct Sound {
    let engine: any AudioEngine
    let durations: [String: Double]
    let output: OutputState?
    let sentence: String? = "fake"
    init(_ o: PlayOptions.Output, _ opened: OpenedSession, _ onEvent: @escaping @Sendable (EngineEvent) -> Void) throws(Failure) {
        engine = FakeEngine(onEvent)
        durations = Dictionary(uniqueKeysWithValues: opened.stored.tracks.map { ($0.id, 600) })
        output = OutputState(name: "clock", isPresent: true)
    }
}
