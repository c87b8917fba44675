import Testing
import WireProtocol

@Suite("Cue bundles")
struct CueBundleTests {
    private static let cues = [
        Cue(index: 1, start: 1, end: 2.5, text: "Hello."),
        Cue(index: 2, start: 61.04, end: 63, text: "Two lines,\n\"quoted\" — Ещё"),
        Cue(index: 7, start: 3_600.000_5, end: 3_601, text: ""),
    ]

    private static func decoded(_ text: String) throws(CueBundle.DecodingError) -> CueBundle {
        try CueBundle(gzip: Gzip.compress(Array(text.utf8)))
    }

    @Test("the canonical JSON of cues, byte for byte")
    func canonicalJSON() {
        let expected =
            #"[{"index":1,"start":1,"end":2.5,"text":"Hello."},"#
            + #"{"index":2,"start":61.04,"end":63,"text":"Two lines,\n\"quoted\" — Ещё"},"#
            + #"{"index":7,"start":3600.0005,"end":3601,"text":""}]"#
        #expect(CueBundle.cuesJSON(Self.cues).text == expected)
        #expect(CueBundle.cuesJSON([]).text == "[]")
    }

    @Test("the digest is of those bytes, as any other program computes it")
    func digest() {
        // printf '[]' | sha256sum
        #expect(CueBundle.digest(of: []) == "4f53cda18c2baa0c0354bb5f9a3ecbe5ed12ab4d8e11ba873c2f11161202b945")
        #expect(CueBundle.digest(of: Self.cues) == SHA256.hexadecimalDigest(of: CueBundle.cuesJSON(Self.cues)))
        #expect(CueBundle.digest(of: Self.cues) == "71fa27c75f71a492432a545676c0176c334a1d0b416b5fb753b9ae8aaec9b6f7")
    }

    @Test("any change of a cue changes the digest; session and revision do not")
    func digestSensitivity() {
        let original = CueBundle.digest(of: Self.cues)
        var variants: [[Cue]] = [Self.cues.dropLast(), Self.cues.reversed(), Self.cues + Self.cues]
        for change: (inout Cue) -> Void in [
            { $0.index += 1 }, { $0.start += 0.001 }, { $0.end += 0.001 }, { $0.text += " " },
        ] {
            var changed = Self.cues
            change(&changed[1])
            variants.append(changed)
        }
        let digests = Set(variants.map { CueBundle.digest(of: Array($0)) } + [original])
        #expect(digests.count == variants.count + 1)
    }

    @Test("the digest survives a journey over the wire")
    func digestAfterJourney() throws {
        let arrived = try CueBundle(gzip: Gzip.compress(CueBundle(sessionID: "S", revision: 3, cues: Self.cues).json))
        #expect(CueBundle.digest(of: arrived.cues) == CueBundle.digest(of: Self.cues))
    }

    @Test("the digest of the cues as they were written is that of the cues, where they were written canonically")
    func writtenDigest() throws {
        let bundle = CueBundle(sessionID: #"odd "cues": id"#, revision: 3, cues: Self.cues)
        #expect(try CueBundle.read(gzip: Gzip.compress(bundle.json)).writtenDigest == CueBundle.digest(of: Self.cues))
        let spaced = Array(bundle.json.text.replacing(#""cues":[{"#, with: #""cues":[ {"#).utf8)
        let read = try CueBundle.read(gzip: Gzip.compress(spaced))
        #expect(read.bundle == bundle)
        #expect(read.writtenDigest != CueBundle.digest(of: Self.cues))
    }

    @Test("the bundle holds the canonical cues as they stand, so a remote can cut them out and check the digest")
    func bundleJSON() {
        let bundle = CueBundle(sessionID: #"odd "cues": id"#, revision: 3, cues: Self.cues)
        let cues = CueBundle.cuesJSON(Self.cues).text
        #expect(bundle.json.text == #"{"sessionID":"odd \"cues\": id","revision":3,"cues":"# + cues + "}")
        let start = bundle.json.text.firstRange(of: "\"cues\":")?.upperBound
        #expect(start.map { bundle.json.text[$0...].dropLast() } == Substring(cues))
    }

    @Test("a bundle reads back as it was", arguments: [0, 1, 500])
    func roundTrip(count: Int) throws {
        let cues = (0..<count).map {
            Cue(index: $0, start: Double($0) / 3, end: Double($0) / 3 + 1, text: "\($0)\n🎬\u{0}")
        }
        let bundle = CueBundle(sessionID: "S", revision: 12, cues: cues)
        #expect(try CueBundle(gzip: Gzip.compress(bundle.json)) == bundle)
    }

    @Test("unknown keys are passed over, in the bundle and in a cue")
    func unknownKeys() throws {
        let bundle = try Self.decoded(
            #"{"later":[],"sessionID":"S","revision":1,"cues":[{"index":1,"start":0,"end":1,"text":"a","style":{}}]}"#)
        #expect(bundle.cues == [Cue(index: 1, start: 0, end: 1, text: "a")])
    }

    @Test(
        "a bundle without what it must carry is refused",
        arguments: [
            "", "[]", "{}", #"{"sessionID":"S","revision":1}"#, #"{"sessionID":"S","cues":[]}"#,
            #"{"revision":1,"cues":[]}"#,
            #"{"sessionID":1,"revision":1,"cues":[]}"#, #"{"sessionID":"S","revision":1.5,"cues":[]}"#,
            #"{"sessionID":"S","revision":1,"cues":{}}"#, #"{"sessionID":"S","revision":1,"cues":[1]}"#,
            #"{"sessionID":"S","revision":1,"cues":[{"start":0,"end":1,"text":"a"}]}"#,
            #"{"sessionID":"S","revision":1,"cues":[{"index":1,"end":1,"text":"a"}]}"#,
            #"{"sessionID":"S","revision":1,"cues":[{"index":1,"start":0,"text":"a"}]}"#,
            #"{"sessionID":"S","revision":1,"cues":[{"index":1,"start":0,"end":1}]}"#,
            #"{"sessionID":"S","revision":1,"cues":[{"index":1,"start":"0","end":1,"text":"a"}]}"#,
            #"{"sessionID":"S","revision":1,"cues":[{"index":1,"start":1e300,"end":1,"text":"a"}]}"#,
        ])
    func malformed(text: String) {
        #expect { try Self.decoded(text) } throws: { error in
            if case CueBundle.DecodingError.malformed = error { true } else { false }
        }
    }

    @Test("what is not gzip, or inflates past the limit, is refused as that")
    func notABundle() {
        #expect(throws: CueBundle.DecodingError.notGzip) { try CueBundle(gzip: []) }
        #expect(throws: CueBundle.DecodingError.notGzip) { try CueBundle(gzip: Array("{}".utf8)) }
        let bomb = Gzip.compress([UInt8](repeating: 0x20, count: Limits.cueBundleBytes + 1))
        #expect(throws: CueBundle.DecodingError.tooLarge) { try CueBundle(gzip: bomb) }
    }

    @Test("cues that make a bundle past the limit are known beforehand, and those that just fit")
    func limit() throws {
        let limit = 10_000
        func cues(_ textBytes: Int, of letter: String = "x") -> [Cue] {
            [Cue(index: 1, start: 0, end: 1, text: String(repeating: letter, count: textBytes))]
        }
        let most = limit - 1_024 - CueBundle.cuesJSON(cues(0)).count
        #expect(CueBundle.isSmallEnough(cues(most), maximumBytes: limit))
        #expect(!CueBundle.isSmallEnough(cues(most + 1), maximumBytes: limit))
        // Letters that take six bytes each, in a text and in the name of the session.
        #expect(CueBundle.isSmallEnough(cues(most / 6, of: "\u{1}"), maximumBytes: limit))
        #expect(!CueBundle.isSmallEnough(cues(most / 6 + 1, of: "\u{1}"), maximumBytes: limit))
        let awkward = String(repeating: "\u{1}", count: Limits.identifierBytes)
        #expect(CueBundle(sessionID: awkward, revision: .min, cues: cues(most)).json.count <= limit)
        let short = { count in (0..<count).map { Cue(index: $0, start: 0, end: 1, text: "A") } }
        #expect(CueBundle.isSmallEnough(short(150), maximumBytes: limit))
        #expect(!CueBundle.isSmallEnough(short(300), maximumBytes: limit))
    }
}

@Suite("Cue chunks")
struct CueChunksTests {
    /// A bundle whose gzip stream has exactly `size` bytes.
    ///
    /// Random letters compress to a length that moves slowly with their number, so a search finds one.
    private static func bundle(gzipBytes size: Int) throws -> CueBundle {
        var generator = SeededGenerator(seed: UInt64(size))
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+-")
        let letters = (0..<(size * 2)).map { _ in alphabet.randomElement(using: &generator) ?? "a" }
        func candidate(_ count: Int) -> CueBundle {
            CueBundle(
                sessionID: "S", revision: 4, cues: [Cue(index: 1, start: 0, end: 1, text: String(letters[..<count]))])
        }
        var (low, high) = (0, letters.count)
        while low < high {
            let middle = (low + high) / 2
            if Gzip.compress(candidate(middle).json).count < size { low = middle + 1 } else { high = middle }
        }
        for count in max(0, low - 64)..<min(letters.count, low + 64) {
            let bundle = candidate(count)
            if Gzip.compress(bundle.json).count == size { return bundle }
        }
        throw NoSuchSize()
    }

    private struct NoSuchSize: Error {}

    @Test(
        "chunks hold 30 000 bytes each, the last one the rest",
        arguments: [
            (29_999, [29_999]), (30_000, [30_000]), (30_001, [30_000, 1]), (60_000, [30_000, 30_000]),
            (60_001, [30_000, 30_000, 1]),
        ])
    func sizes(gzipBytes: Int, expected: [Int]) throws {
        let bundle = try Self.bundle(gzipBytes: gzipBytes)
        let chunks = CueChunks(bundle)
        #expect(chunks.count == expected.count)
        let all = (0..<chunks.count).compactMap { chunks[$0] }
        #expect(all.map(\.data.count) == expected)
        #expect(all.map(\.index) == Array(expected.indices))
        #expect(all.allSatisfy { $0.totalChunks == expected.count && $0.sessionID == "S" && $0.revision == 4 })
        #expect(try CueBundle(gzip: all.flatMap(\.data)) == bundle)
    }

    @Test("there is no chunk before the first or after the last", arguments: [-1, 1, 2, .min, .max])
    func outOfRange(index: Int) {
        #expect(CueChunks(CueBundle(sessionID: "S", revision: 1, cues: []))[index] == nil)
    }

    @Test("a session without cues has one chunk, which holds an empty bundle")
    func empty() throws {
        let bundle = CueBundle(sessionID: "S", revision: 1, cues: [])
        let chunks = CueChunks(bundle)
        #expect(chunks.count == 1)
        #expect(try CueBundle(gzip: #require(chunks[0]).data) == bundle)
    }

    @Test("every chunk's line fits a frame, with the longest identifiers")
    func linesFit() throws {
        let id = String(repeating: "i", count: Limits.identifierBytes)
        let chunk = CueChunk(
            sessionID: id, revision: .max, index: 1_998, totalChunks: 1_999, data: Array(repeating: 0, count: 30_000))
        #expect(HostMessage.cueChunk(chunk).line(re: .text(id)).count < Limits.frameBytes)
    }
}
