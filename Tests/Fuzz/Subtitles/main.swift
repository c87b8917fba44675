import FuzzKit
import Glibc
import Subtitles
import WireProtocol

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
    _ = try? SubtitleReader.read(bytes)
    return now() - start
}

func repeated(_ head: [UInt8], _ piece: [UInt8], upTo size: Int) -> [UInt8] {
    var bytes = head
    while bytes.count + piece.count <= size { bytes += piece }
    return bytes
}

/// Time grows with the size: four times the file may not take ten times as long.
func checkSpeed(_ input: [UInt8], cut: Int) {
    let (head, piece) = (Array(input[..<cut]), Array(input[cut...]))
    guard !piece.isEmpty else { return }
    let small = repeated(head, piece, upTo: 16 << 10)
    let large = repeated(head, piece, upTo: 64 << 10)
    for _ in 0..<3 {
        let (one, four) = (seconds(small), seconds(large))
        // Small times are noise.
        if four < 0.1 || four < 10 * one { return }
    }
    must(false, "reading takes time linear in the size")
}

fuzz { input in
    if let document = try? SubtitleReader.read(input) { check(document) }
    // One input in 16 by its own bytes (FNV-1a), so that a finding comes back.
    let hash = input.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
    if hash >> 32 % 16 == 0, !input.isEmpty { checkSpeed(input, cut: Int(hash >> 40 % UInt64(input.count))) }
}
