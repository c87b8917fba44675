internal import WireProtocol

/// A host that says what a remote has to pass over.
extension Trial {
    static var faultTrials: [Trial] { [faultyLines, faultyState, faultyChunks, pieces] }

    /// Lines that no reader may trip over; none says anything.
    private static let junk: [[UInt8]] =
        [
            "", "\r", "not JSON", "{", "{}", "[]", "17", "null", "\"text\"", #"{"kind":"#, #"{"kind":17}"#,
            #"{"kind":null}"#,
            #"{"kind":"hologram","payload":{"depth":3}}"#, #"{"kind":"hologram","payload":7}"#, #"{"kind":"snapshot"}"#,
            #"{"kind":"metadata","payload":{}}"#, #"{"kind":"cueChunk","payload":{}}"#,
            #"{"kind":"pong","payload":{}}"#,
            #"{"kind":"pong","payload":{"sent":"x","ping":"x","serverDate":"never"}}"#, #"{"kind":"error"}"#,
            #"{"kind":"error","payload":{"code":7}}"#,
            #"{"kind":"error","re":"nobody","payload":{"code":"new","message":"Hm."}}"#,
            #"{"kind":"snapshot","re":{"a":1},"payload":{}}"#, #"{"kind":"metadata","payload":[]}"#,
            String(repeating: "[", count: 30_000), #"{"kind":"snapshot","payload":{"sessionID":"\ud83c"}}"#,
        ].map { Array($0.utf8) + [0x0A] } + [
            [0xFF, 0xFE, 0x7B, 0x0A], Array(#"{"kind":""#.utf8) + [0xC3, 0x28, 0x0A],
        ]

    private static var faultyLines: Trial {
        Trial("junk", needs: .nothing, seconds: 3) {
            Step.wait(0.3)
            Step.act { stage in
                stage.mark()
                for line in junk { stage.send(line) }
                stage.send(.ping(.object([.init("after", .string("junk"))])))
            }
            Step.until(1.5) { !$0.pongs.isEmpty }
            Step.claim("lines that are no frame, and kinds it does not know, are passed over", "§5") { stage in
                .is(
                    stage.connections.count == 1 && !stage.pongs.isEmpty,
                    "the same connection, and a pong to the ping behind them",
                    "\(stage.connections.count) connections, \(stage.pongs.count) pongs")
            }
        }
    }

    /// A message of the film with one member of its payload changed, or taken away.
    private static func spoil(_ key: String, _ value: JSONValue?, snapshot isSnapshot: Bool) -> Step {
        .act { stage in
            guard var film = stage.film else { return }
            (film.currentTime, film.anchor) = (99, stage.wholeMillisecond)
            let message = isSnapshot ? stage.snapshot(of: film) : stage.metadata(of: film)
            guard let frame = try? JSONReader.value(of: message.line().dropLast()), let payload = frame["payload"],
                case .object(var members) = payload
            else { return }
            members.removeAll { $0.key == key }
            if let value { members.append(.init(key, value)) }
            stage.send(
                stage.line(
                    .object([.init("kind", frame["kind"] ?? .null), .init("payload", .object(members))])))
        }
    }

    private static var faultyState: Trial {
        let faults: [(String, JSONValue?)] = [
            ("currentTime", .string("soon")), ("currentTime", .number(1e12)), ("currentTime", .number(-1e12)),
            ("currentTime", nil), ("duration", .array([])), ("duration", nil), ("duration", .number(1e300)),
            ("serverDate", .string("yesterday")), ("serverDate", .integer(7)), ("serverDate", nil),
            ("sessionID", nil), ("revision", .string("3")), ("isPlaying", nil), ("isPlaying", .string("yes")),
        ]
        return Trial("faults", needs: .keyboard, seconds: 5) {
            Step.ready
            for (key, value) in faults {
                spoil(key, value, snapshot: true)
                spoil(key, value, snapshot: false)
            }
            spoil("title", .integer(7), snapshot: false)
            Step.act { $0.send(Array(#"{"kind":"snapshot","payload":{"currentTime":1e999}}"#.utf8) + [0x0A]) }
            Step.askWhenTaken
            Step.claim("states with a missing key, a wrong type or a time out of range are passed over", "§5") {
                $0.shows { _ in 12.5 }
            }
            spoil("hologram", .object([.init("depth", .integer(3))]), snapshot: true)
            Step.askWhenTaken
            Step.claim("one with a key that it does not know is taken", "§11") { $0.shows { _ in 99 } }
            Step.act { $0.place(20) }
            Step.askWhenTaken
            Step.claim("and the next good one counts", "§5") { $0.shows { _ in 20 } }
            Step.claim("with its cue", "§9") { $0.states("Line 7 of") }
            Step.act { stage in
                stage.mark()
                stage.type(["+1"])
            }
            Step.wait(0.6)
            Step.claim("and taps are still sent", "§6") { $0.commands(are: [.skip(seconds: 1)]) }
        }
    }

    private static var faultyChunks: Trial {
        Trial(
            "chunks", needs: .nothing, seconds: 7,
            prepare: { stage in
                long(&stage)
                stage.host.pushedChunks = []
            }
        ) {
            Step.wait(0.2)
            Step.act { stage in
                guard let film = stage.film else { return }
                let good = film.chunks[0]
                func send(_ key: String, _ value: JSONValue) {
                    var members: [JSONValue.Member] = [
                        .init("sessionID", .string(film.sessionID)), .init("revision", .integer(film.revision)),
                        .init("index", .integer(0)), .init("totalChunks", .integer(good.totalChunks)),
                        .init("data", .string(Base64.encode(good.data[...]))),
                    ]
                    members = members.map { $0.key == key ? .init(key, value) : $0 }
                    stage.send(
                        stage.line(.object([.init("kind", .string("cueChunk")), .init("payload", .object(members))])))
                }
                // Before the bad ones, so that one of these that is taken spoils it.
                stage.push(chunks: [0])
                send("data", .string("!!!! not base 64 !!!!"))
                // A forgiving reader finds three bytes in it.
                send("data", .string("****AAAA"))
                send("data", .string(Base64.encode([UInt8](repeating: 7, count: 30_001)[...])))
                send("index", .integer(good.totalChunks))
                send("index", .integer(-1))
                send("totalChunks", .integer(Limits.cueChunks + 1))
                send("totalChunks", .integer(0))
                send("sessionID", .string("another"))
                send("revision", .integer(film.revision + 7))
                stage.push(chunks: Array(film.chunks.indices.dropFirst()))
            }
            Step.wait(2.2)
            Step.timed(
                "chunks that break a limit, are of another film or no base 64 are passed over", "§10", pulls(are: []))
            holdsCues("and the good ones make whole cues")
        }
    }

    private static var pieces: Trial {
        Trial("pieces", needs: .nothing, seconds: 4) {
            Step.wait(0.3)
            Step.act { stage in
                stage.mark()
                let line = HostMessage.ping(.object([.init("cut", .bool(true))])).line()
                let ending: [UInt8] = [0x0D, 0x0A]
                for (place, byte) in (line.dropLast() + ending).enumerated() {
                    stage.send([byte], after: 0.01 * Double(place + 1))
                }
            }
            Step.until(2.5) { !$0.pongs.isEmpty }
            Step.claim("a line in single bytes, ended by CRLF, is read", "§3") { stage in
                .is(!stage.pongs.isEmpty, "a pong", "none")
            }
        }
    }
}
