import Playback
import Testing
import WireProtocol

/// The machine against an engine that keeps to its port, with requests and events under way for any time.
@Suite("Machine and engine")
struct MachineAndEngineTests {
    @Test("agree whenever nothing is under way, and nothing sounds that nobody asked for", arguments: 0..<400)
    func agree(seed: UInt64) {
        var random = SeededGenerator(state: seed)
        var run = CoSimulation()
        for _ in 0..<25 {
            for _ in 0..<Int.random(in: 1...20, using: &random) { run.step(&random) }
            run.settle()
        }
        #expect(run.asked > 30)
        #expect(run.answered.count == run.asked)
    }
}

private struct CoSimulation {
    var rig = Rig()
    var engine: ModelEngine
    var asked = 0
    var answered: Set<Int> = []
    private var underWay: [EngineRequest] = []

    init() {
        rig.open(at: 10)
        engine = ModelEngine(position: 10, now: rig.now)
    }

    mutating func step(_ random: inout SeededGenerator) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0...5: ask(Self.command(&random))
        case 6...9: deliverRequest()
        case 10...12: deliverEvent()
        case 13: engine.finishLocate(succeeds: Int.random(in: 0..<6, using: &random) > 0, now: rig.now)
        case 14: engine.finishSwitch(succeeds: Int.random(in: 0..<4, using: &random) > 0, now: rig.now)
        case 15: engine.loseDevice(now: rig.now)
        case 16: engine.findDevice()
        default:
            rig.now = rig.now + Double.random(in: 0...4, using: &random)
            engine.advance(to: rig.now)
        }
        if engine.isRunning { #expect(engine.mayPlay, "nothing sounds before the machine knows of a lost device") }
    }

    private static func command(_ random: inout SeededGenerator) -> Command {
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: .play
        case 2: .pause
        case 3: .togglePlayPause
        case 4: .skip(seconds: Double.random(in: -20...20, using: &random))
        case 5: .seek(time: Double.random(in: 0...210, using: &random))
        default: .switchTrack(trackID: ["orig", "dub", "long"].randomElement(using: &random) ?? "orig")
        }
    }

    private mutating func ask(_ command: Command) {
        asked += 1
        take(rig.command(command, asker: Asker(connection: 0, message: .integer(asked))))
    }

    private mutating func deliverRequest() {
        guard !underWay.isEmpty else { return }
        engine.perform(underWay.removeFirst(), now: rig.now)
    }

    private mutating func deliverEvent() {
        guard let event = engine.nextEvent() else { return }
        take(rig.event(event))
    }

    private mutating func take(_ actions: [TransportAction]) {
        for action in actions {
            switch action {
            case .engine(let request): underWay.append(request)
            case .reply(let asker, _):
                guard case .integer(let number)? = asker.message else { continue }
                #expect(answered.insert(number).inserted, "command \(number) is answered once")
            case .changed, .save, .note: break
            }
        }
    }

    /// Lets everything arrive and finish; then both must say the same.
    mutating func settle() {
        var rounds = 0
        while !underWay.isEmpty || !engine.isAtRest, rounds < 1_000 {
            rounds += 1
            while !underWay.isEmpty { deliverRequest() }
            engine.finishLocate(succeeds: true, now: rig.now)
            engine.finishSwitch(succeeds: true, now: rig.now)
            while !engine.events.isEmpty { deliverEvent() }
        }
        #expect(rounds < 1_000, "machine and engine come to rest")
        #expect(engine.isRunning == rig.machine.isPlaying, "what sounds is what remotes are told")
        #expect(engine.trackID == rig.machine.snapshot(at: rig.now)?.activeTrackID)
        if !engine.isLost {
            #expect(abs(engine.position(at: rig.now) - (rig.position ?? -1)) < 0.001)
        }
        #expect(answered.count == asked, "nobody waits when nothing is under way")
    }
}
