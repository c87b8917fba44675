import Charset
import FuzzKit
import Glibc
import Subtitles
import WireProtocol

let pages = SystemCodePages()
/// Where the whole input counts as one encoding's, as with `--encoding`.
let encodings = ["SHIFT_JIS", "GB18030", "BIG5", "EUC-KR", "WINDOWS-1256", "KOI8-R", "UTF-16LE", "UTF-32"]

func check(_ document: SubtitleDocument) {
    let cues = document.cues
    must(!cues.isEmpty, "a document has a cue")
    for (above, cue) in zip(cues, cues.dropFirst()) {
        must(above.start <= cue.start, "cues are sorted by start")
        must(above.index < cue.index, "numbers grow")
    }
    for cue in cues {
        must(cue.start.isFinite && cue.end.isFinite, "times are finite")
        must(0 <= cue.start && cue.start <= cue.end, "no cue starts before the film or ends before its start")
        must(!cue.text.isEmpty, "no text is empty")
        // A stray byte becomes U+FFFD, three bytes long, after the cut.
        must(cue.text.utf8.count <= 3 * SubtitleReader.maximumTextBytes, "a text is cut")
        for scalar in cue.text.unicodeScalars where scalar != "\n" {
            let isControl = scalar.properties.generalCategory == .control
            must(!isControl, "a text holds U+\(String(scalar.value, radix: 16))")
        }
    }
    must(zip(document.repairs, document.repairs.dropFirst()).allSatisfy { $0.line <= $1.line }, "repairs are in order")
    for repair in document.repairs { must(repair.line >= 1, "lines are counted from 1") }
}

/// Of this thread's own work, so that a busy machine is no finding.
func seconds(_ bytes: [UInt8]) -> Double {
    func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
    let start = now()
    _ = try? SubtitleReader.read(bytes, pages: pages)
    return now() - start
}

/// A file that says one thing of `input` again and again: time grows with its size, not with the square of that.
func checkSpeed(_ input: [UInt8], by hash: UInt64) {
    // What a reader might look for the end of: brackets, line ends, escapes; not letters and digits.
    let places = input.indices.filter {
        !(0x30...0x39).contains(input[$0]) && !(0x41...0x5A).contains(input[$0] & 0xDF)
    }
    guard !places.isEmpty else { return }
    let start = places[Int(hash >> 8 % UInt64(places.count))]
    let piece = Array(input[start...].prefix(1 + Int(hash & 3)))
    func file(_ size: Int) -> [UInt8] {
        input[..<start] + (0..<size / piece.count).flatMap { _ in piece } + (hash & 4 == 0 ? [] : input[start...])
    }
    let (small, large) = (file(4 << 10), file(16 << 10))
    for _ in 0..<3 {
        let (one, four) = (seconds(small), seconds(large))
        // Some 2 ms are usual; small times are noise.
        if four < 0.05 || four < 10 * one { return }
    }
    must(false, "reading takes time linear in the size")
}

fuzz { input in
    let document = try? SubtitleReader.read(input, pages: pages)
    if let document { check(document) }
    let repaired = Array(String(decoding: input, as: UTF8.self).utf8)
    if let alone = try? SubtitleReader.read(repaired) {
        must((try? SubtitleReader.read(repaired, pages: pages))?.cues == alone.cues, "UTF-8 is not guessed away")
    }
    // One input in four by its own bytes (FNV-1a), so that a finding comes back.
    let hash = input.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    let encoding = encodings[Int(hash >> 16) % encodings.count]
    if let document = try? SubtitleReader.read(input, pages: pages, encoding: encoding) { check(document) }
    if hash >> 60 & 3 == 0 { checkSpeed(input, by: hash >> 4) }
}
