/// All cues of one revision of a session, as they travel: JSON, gzipped, cut into chunks.
package struct CueBundle: Equatable, Sendable {
    package var sessionID: String
    package var revision: Int
    package var cues: [Cue]

    package init(sessionID: String, revision: Int, cues: [Cue]) {
        self.sessionID = sessionID
        self.revision = revision
        self.cues = cues
    }

    /// SHA-256, in lower-case hexadecimal, of the bytes that `cuesJSON` gives: it keys the remote's cache, so two
    /// hosts with the same cues share it and a changed line never hides behind an old revision number.
    package static func digest(of cues: [Cue]) -> String {
        SHA256.hexadecimalDigest(of: cuesJSON(cues))
    }

    /// The bundle's `cues` array as canonical JSON: keys in the order index, start, end, text and no space.
    package static func cuesJSON(_ cues: [Cue]) -> [UInt8] {
        var writer = JSONWriter(reserving: 96 * cues.count + 2)
        write(cues, to: &writer)
        return writer.bytes
    }

    private static func write(_ cues: [Cue], to writer: inout JSONWriter) {
        writer.array { writer in
            for cue in cues {
                writer.object { writer in
                    writer.key("index")
                    writer.integer(cue.index)
                    writer.key("start")
                    writer.number(cue.start)
                    writer.key("end")
                    writer.number(cue.end)
                    writer.key("text")
                    writer.string(cue.text)
                }
            }
        }
    }

    /// The uncompressed bundle.
    package var json: [UInt8] {
        var writer = JSONWriter(reserving: 96 * cues.count + 128)
        writer.object { writer in
            writer.key("sessionID")
            writer.string(sessionID)
            writer.key("revision")
            writer.integer(revision)
            writer.key("cues")
            Self.write(cues, to: &writer)
        }
        return writer.bytes
    }

    /// Whether a bundle of these cues is small enough for a remote to take, whatever its session.
    package static func isSmallEnough(_ cues: [Cue], maximumBytes: Int = Limits.cueBundleBytes) -> Bool {
        // The keys and three numbers of a cue take less than 128 bytes, and no byte of a text more than six.
        let most = cues.reduce(0) { $0 + 128 + 6 * $1.text.utf8.count }
        // The sessionID and the keys around take less than 1 KiB.
        let room = maximumBytes - 1_024
        return most <= room || cuesJSON(cues).count <= room
    }

    package enum DecodingError: Error, Equatable {
        case notGzip
        case tooLarge
        case malformed(String)
    }

    /// Reads a whole gzip stream that holds a bundle.
    /// - Throws: `DecodingError`, also when it inflates past `Limits.cueBundleBytes`.
    package init(gzip: [UInt8]) throws(DecodingError) {
        self = try Self.read(gzip: gzip).bundle
    }

    /// Reads a whole gzip stream that holds a bundle, and tells the digest of its cues as they are written there.
    ///
    /// A host that writes them in canonical form, as it should, spares its remote to do so for the digest.
    /// - Throws: `DecodingError`, also when it inflates past `Limits.cueBundleBytes`.
    package static func read(gzip: [UInt8]) throws(DecodingError) -> (bundle: CueBundle, writtenDigest: String) {
        let json: [UInt8]
        do {
            json = try Gzip.decompress(gzip, maximumBytes: Limits.cueBundleBytes)
        } catch .tooLarge {
            throw .tooLarge
        } catch {
            throw .notGzip
        }
        let value: JSONValue
        do {
            value = try JSONReader.value(of: json)
        } catch {
            throw .malformed(error.reason)
        }
        guard let sessionID = value["sessionID"]?.stringValue, let revision = value["revision"]?.integerValue,
            let elements = value["cues"]?.arrayValue
        else { throw .malformed("a bundle needs sessionID, revision and cues") }
        var cues: [Cue] = []
        cues.reserveCapacity(elements.count)
        for element in elements {
            guard let index = element["index"]?.integerValue, let start = element.seconds("start"),
                let end = element.seconds("end"), let text = element["text"]?.stringValue
            else { throw .malformed("a cue needs index, start, end and text") }
            cues.append(Cue(index: index, start: start, end: end, text: text))
        }
        let bundle = CueBundle(sessionID: sessionID, revision: revision, cues: cues)
        return (bundle, SHA256.hexadecimalDigest(of: writtenCues(in: json)))
    }

    /// The bytes between the first `"cues":` and the final `}`; what a peer writes otherwise gives another digest.
    private static func writtenCues(in json: [UInt8]) -> [UInt8] {
        let key = Array(#""cues":"#.utf8)
        guard
            let start = json.indices.first(where: { json[$0] == key[0] && json[$0...].starts(with: key) }),
            let last = json.last, last == UInt8(ascii: "}")
        else { return [] }
        return Array(json[(start + key.count)..<(json.count - 1)])
    }
}
