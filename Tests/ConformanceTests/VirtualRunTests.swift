import HostCore
import Playback
import RemoteCore
import TestKit
import Testing
import WireProtocol

@Suite("What both sides say in rare moments conforms to the schema, on virtual time")
struct VirtualRunTests {
    /// The machines of a host and of a remote, joined without a network, and all that was said.
    private struct Talk {
        var host: HostMachine
        var remote = RemoteMachine(.init(remoteID: "r", remoteName: "R", seed: 1))
        var now = SteadyTime(nanoseconds: 1_000_000_000_000)
        var said: [SchemaCheck.Question] = []
        /// The connection that leads to `remote`.
        var leadsToRemote: Int?
        private var attempt = 0

        init() {
            host = HostMachine(
                card: HostCard(id: "h", name: "H", software: "test"),
                clock: ServerClock(now: now, wallNanoseconds: 1_750_000_000_000_000_000), maximumConnections: 3,
                now: now)
        }

        mutating func perform(_ actions: [HostAction]) {
            for action in actions {
                guard case .write(let id) = action else { continue }
                while let bytes = host.nextOutput(of: id) {
                    note(bytes, "host.json")
                    if id == leadsToRemote { perform(remote.received(bytes, attempt: attempt, now: now)) }
                }
            }
        }

        mutating func perform(_ actions: [RemoteAction]) {
            for action in actions {
                switch action {
                case .connect(let number, _): attempt = number
                case .send(let bytes):
                    note(bytes, "remote.json")
                    if let leadsToRemote { say(String(decoding: bytes.dropLast(), as: UTF8.self), on: leadsToRemote) }
                default: break
                }
            }
        }

        private mutating func note(_ bytes: [UInt8], _ schema: String) {
            said += bytes.split(separator: 0x0A).map {
                .init(schema: schema, line: String(decoding: $0, as: UTF8.self))
            }
        }

        mutating func connect(_ id: Int) {
            perform(host.connect(id, now: now))
            endTurn()
        }

        mutating func connectRemote(_ id: Int) {
            leadsToRemote = id
            perform(remote.start(now: now))
            connect(id)
            perform(remote.connectSucceeded(attempt: attempt, now: now))
            // What the host had said before the remote listened.
            let hello = HostHello(
                hostID: "h", hostName: "H", software: "test", serverDate: WireDate(milliseconds: 1_750_000_000_000),
                features: HostMachine.features)
            perform(remote.received(HostMessage.hello(hello).line(), attempt: attempt, now: now))
        }

        mutating func say(_ line: String, on id: Int) {
            host.receive(Array((line + "\n").utf8), on: id, now: now)
            while let actions = host.nextActions(on: id, now: now) { perform(actions) }
            endTurn()
        }

        mutating func endTurn() { perform(host.endTurn(now: now)) }

        mutating func pass(_ seconds: Double) {
            let end = now + seconds
            while true {
                let next = min(host.nextDeadline, remote.nextDeadline ?? end + 1)
                guard next <= end else { break }
                now = max(now, next)
                perform(host.tick(now: now))
                endTurn()
                if leadsToRemote != nil { perform(remote.tick(now: now)) }
            }
            now = end
        }
    }

    @Test("no session, its end, silence, a full house, the end of the host; and the remote's answers")
    func run() throws {
        var talk = Talk()
        talk.connectRemote(1)
        let film = PlaybackSession(
            id: "film", title: "The Film",
            tracks: [.init(id: "a", label: "A", duration: 100), .init(id: "b", label: "B", duration: 100)], revision: 1,
            cueDigest: CueBundle.digest(of: []), timeline: CueTimeline([]))
        talk.perform(
            talk.host.open(film, activeTrackID: "a", position: 1, output: nil, now: talk.now))
        talk.endTurn()
        for (tag, command) in [Command.play, .skip(seconds: 1), .describe(name: nil), .describe(name: "host.json")]
            .enumerated()
        {
            talk.perform(talk.remote.command(command, tag: CommandTag(tag), now: talk.now))
        }
        talk.pass(12)
        talk.perform(talk.host.closeSession(now: talk.now))
        talk.endTurn()
        // Two that say hello and nothing more, one that says nothing, and one too many.
        for id in 2...3 {
            talk.connect(id)
            if id == 2 { talk.connect(4) }
            talk.say(#"{"kind":"hello","payload":{"protocol":1,"remote":{"id":"silent"}}}"#, on: id)
        }
        talk.connect(5)
        talk.pass(65)
        // The remote is not silent, so the host has no cause to ask it.
        talk.perform(talk.remote.received(HostMessage.ping(.object([])).line(), attempt: 1, now: talk.now))
        talk.perform(talk.host.stop(now: talk.now))
        var leaving = Talk()
        leaving.connectRemote(1)
        leaving.perform(leaving.remote.stop(now: leaving.now))

        let said = talk.said + leaving.said
        for (question, answer) in zip(said, try SchemaCheck.answers(said)) {
            #expect(answer == .valid, "\(question.line)")
        }
        // The run was worth something only if it had everything in it.
        var words: Set<String> = []
        for question in said {
            let line = try JSON(question.line)
            let detail = line["payload"]["reason"].text ?? line["payload"]["code"].text ?? ""
            words.insert([question.schema, line["kind"].text ?? "", detail].joined(separator: " "))
        }
        #expect(
            words == [
                "host.json hello ", "host.json sessionEnded ", "host.json metadata ", "host.json snapshot ",
                "host.json cueChunk ",
                "host.json schema ", "host.json pong ", "host.json ping ", "host.json goodbye timeout",
                "host.json goodbye full", "host.json error tooManyRequests", "host.json goodbye shutdown",
                "remote.json hello ", "remote.json command ", "remote.json ping ", "remote.json pong ",
                "remote.json goodbye finished",
            ])
    }
}
