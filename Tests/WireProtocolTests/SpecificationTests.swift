import Foundation
import Testing
import WireProtocol

@Suite("Protocol/README.md says what the code does")
struct SpecificationTests {
    private let page: SpecificationText

    init() throws {
        page = try SpecificationText("README.md")
    }

    // MARK: Example lines

    @Test("every JSON block of every page is of a kind that a test here reads")
    func blockLabels() throws {
        let pages = try FileManager.default.contentsOfDirectory(atPath: SpecificationText.folder.path)
        // The manifest is read where session files are.
        let labels = ["json host", "json remote", "json refused", "json bundle", "json cues", "json manifest"]
        for name in pages where name.hasSuffix(".md") {
            for block in try SpecificationText(name).blocks {
                #expect(labels.contains(block.label), "\(name): \(block.label)")
                #expect(!block.lines.isEmpty)
            }
        }
    }

    @Test("a host's example lines are read, and written again byte for byte")
    func hostLines() throws {
        let lines = page.lines("json host")
        var kinds: Set<String> = []
        for line in lines {
            let frame = try HostFrame(line: Array(line.utf8))
            #expect(frame.message.line(re: frame.re, id: frame.id).text == line + "\n")
            kinds.insert(try json(line)["kind"]?.stringValue ?? "")
        }
        #expect(
            kinds == [
                "hello", "metadata", "snapshot", "cueChunk", "sessionEnded", "schema", "error", "ping", "pong",
                "goodbye",
            ])
    }

    @Test("a remote's example lines are read, and written again byte for byte")
    func remoteLines() throws {
        var kinds: Set<String> = []
        for line in page.lines("json remote") {
            let frame = RemoteFrame(line: Array(line.utf8))
            #expect(try frame.content.get().line(id: frame.id).text == line + "\n")
            let value = try json(line)
            kinds.insert(value["payload"]?["kind"]?.stringValue ?? value["kind"]?.stringValue ?? "")
        }
        #expect(kinds == Set(CommandTable.entries.map(\.name) + ["hello", "ping", "pong", "goodbye"]))
    }

    @Test("the faulty example lines are answered with the code that stands before them")
    func refusedLines() throws {
        for line in page.lines("json refused") {
            let space = try #require(line.firstIndex(of: " "))
            let frame = RemoteFrame(line: Array(line[line.index(after: space)...].utf8))
            guard case .failure(let error) = frame.content else { return #expect(Bool(false), "accepted: \(line)") }
            #expect(error.code.rawValue == line[..<space], "\(line)")
        }
    }

    @Test("the example error sentences are the ones that the faulty lines get")
    func errorSentences() throws {
        let frames = try page.lines("json host").map { try HostFrame(line: Array($0.utf8)) }
        let errors = frames.compactMap { if case .error(let error) = $0.message { error } else { nil } }
        let sent = page.lines("json refused").compactMap { line -> WireError? in
            let faulty = line.utf8.drop { $0 != 0x20 }.dropFirst()
            if case .failure(let error) = RemoteFrame(line: Array(faulty)).content { return error }
            return nil
        }
        #expect(!errors.isEmpty)
        for error in errors { #expect(sent.contains(error), "\(error.message) is not sent for \(sent)") }
    }

    // MARK: Cues

    @Test("bundle, canonical cues, digest and chunk of the examples belong together")
    func cueExamples() throws {
        let bundleLine = try #require(page.lines("json bundle").first)
        let bundle = try CueBundle(gzip: Gzip.compress(Array(bundleLine.utf8)))
        #expect(bundle.json.text == bundleLine)
        #expect(page.lines("json cues") == [CueBundle.cuesJSON(bundle.cues).text])
        let digest = CueBundle.digest(of: bundle.cues)
        #expect(page.text.contains("the digest is `\(digest)`"))
        var checked = 0
        for line in page.lines("json host") {
            switch try HostFrame(line: Array(line.utf8)).message {
            case .metadata(let metadata):
                #expect(metadata.cueDigest == digest)
                #expect(metadata.cueCount == bundle.cues.count)
            case .cueChunk(let chunk):
                #expect(try CueBundle(gzip: chunk.data) == bundle)
            default: continue
            }
            checked += 1
        }
        #expect(checked == 2)
    }

    // MARK: Clock

    @Test("the numbers of the clock example follow from its lines")
    func clockExample() throws {
        var pong: Pong?
        var metadata: SessionMetadata?
        for line in page.lines("json host") {
            switch try HostFrame(line: Array(line.utf8)).message {
            case .pong(let read): pong = read
            case .metadata(let read): metadata = read
            default: break
            }
        }
        let host = Double(try #require(pong?.serverDate).milliseconds) / 1_000
        let offset = host - (try #require(pong?.payload["sent"]?.doubleValue) + 1_000.060) / 2
        let anchor = try #require(metadata)
        let shown = anchor.currentTime + (1_001.5 + offset - Double(anchor.serverDate.milliseconds) / 1_000)
        #expect(abs(shown - 760.064034) < 1e-6)
        #expect(page.text.contains("**760.064034** s"))
    }

    // MARK: The visit

    @Test("the example lines are those of a real visit, word for word")
    func exampleLinesWereRecorded() throws {
        let visit = try SpecificationText("visit.txt").text.split(separator: "\n").map(String.init)
        for (label, arrow) in [("json host", "← "), ("json remote", "→ ")] {
            let lines = page.lines(label)
            #expect(lines.count >= 13)
            // No visit to the real program meets the end of a session yet.
            for line in lines where line != #"{"kind":"sessionEnded","payload":{}}"# {
                #expect(visit.contains(arrow + line), "\(line)")
            }
        }
    }

    // MARK: Tables

    @Test("the table of commands is the code's, in its order, with its arguments")
    func commandTable() {
        let rows = page.table("command | arguments")
        let expected = CommandTable.entries.map { entry in
            let arguments = entry.arguments.map { argument in
                switch argument {
                case .seconds(let key): "`\(key)` seconds"
                case .fraction(let key): "`\(key)` 0 to 1"
                case .identifier(let key): "`\(key)` identifier"
                case .count(let key): "`\(key)` count"
                case .optionalIdentifier(let key): "`\(key)` identifier, optional"
                }
            }
            return ["`\(entry.name)`", arguments.joined(separator: ", ")]
        }
        #expect(rows.map { Array($0.prefix(2)) } == expected)
    }

    @Test("the table of errors is the code's, in its order")
    func errorTable() {
        #expect(page.table("code | when").map(\.first) == WireError.Code.allCases.map { "`\($0.rawValue)`" })
    }

    @Test("the table of limits has every limit with its number")
    func limitTable() throws {
        let limits: [(String, Double)] = [
            ("frameBytes", Double(Limits.frameBytes)), ("jsonDepth", Double(Limits.jsonDepth)),
            ("identifierBytes", Double(Limits.identifierBytes)), ("nameCharacters", Double(Limits.nameCharacters)),
            ("filmSeconds", Limits.filmSeconds), ("cueChunkBytes", Double(Limits.cueChunkBytes)),
            ("cueChunks", Double(Limits.cueChunks)), ("cueBundleBytes", Double(Limits.cueBundleBytes)),
            ("connections", Double(Limits.connections)),
            ("silentConnections", Double(Limits.silentConnections)),
            ("closingConnections", Double(Limits.closingConnections)),
            ("connectionsPerAddress", Double(Limits.connectionsPerAddress)),
            ("commandBurst", Double(Limits.commandBurst)), ("commandsPerSecond", Double(Limits.commandsPerSecond)),
            ("pongBytesPerSecond", Double(Limits.pongBytesPerSecond)),
            ("helloBurst", Double(Limits.helloBurst)), ("hellosPerSecond", Double(Limits.hellosPerSecond)),
            ("inputBurstBytes", Double(Limits.inputBurstBytes)),
            ("inputBytesPerSecond", Double(Limits.inputBytesPerSecond)),
            ("inputBytesOfFrame", Double(Limits.inputBytesOfFrame)),
            ("faultyFramesInARow", Double(Limits.faultyFramesInARow)),
            ("secondsToFirstFrame", Limits.secondsToFirstFrame), ("secondsPerFrame", Limits.secondsPerFrame),
            ("idleSeconds", Limits.idleSeconds),
            ("unreadReplyBytes", Double(Limits.unreadReplyBytes)),
        ]
        let rows = page.table("name | number")
        #expect(rows.map(\.first) == limits.map { "`\($0.0)`" })
        for (row, limit) in zip(rows, limits) {
            #expect(Double(row[1].prefix { $0.isNumber }) == limit.1, "\(limit.0)")
            #expect(!row[2].isEmpty)
        }
        // A limit that is added in the code and not here would be missed by the list above.
        let source = SpecificationText.folder.deletingLastPathComponent()
            .appendingPathComponent("Sources/WireProtocol/Limits.swift")
        let declared = try String(contentsOf: source, encoding: .utf8).components(separatedBy: "package static let ")
        #expect(declared.count - 1 == limits.count)
    }

    @Test("every link of the pages leads to a page that is there")
    func links() throws {
        for name in ["README.md", "discovery.md", "CHANGES.md"] {
            for target in try SpecificationText(name).text.matches(of: /\]\(([^)#]+)\)/).map(\.output.1) {
                let path = SpecificationText.folder.appendingPathComponent(String(target)).path
                #expect(FileManager.default.fileExists(atPath: path), "\(name): \(target)")
            }
        }
    }
}
