import FuzzKit
import WireProtocol

/// What the specification says of framing, without pieces: cut at LF, one CR off, empty lines passed over.
func expectedFrames(of bytes: [UInt8], maximumBytes: Int) -> [LineFramer.Frame] {
    var frames: [LineFramer.Frame] = []
    var lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    let unfinished = lines.removeLast()
    for line in lines {
        if line.count + 1 > maximumBytes {
            frames.append(.tooLarge)
        } else {
            let content = line.last == 0x0D ? line.dropLast() : line
            if !content.isEmpty { frames.append(.line(Array(content))) }
        }
    }
    if unfinished.count >= maximumBytes { frames.append(.tooLarge) }
    return frames
}

func checkFramer(_ bytes: [UInt8], maximumBytes: Int, pieces: [Int]) -> [[UInt8]] {
    var framer = LineFramer(maximumBytes: maximumBytes)
    var frames: [LineFramer.Frame] = []
    var (place, turn) = (0, 0)
    while place < bytes.count {
        let end = min(bytes.count, place + pieces[turn % pieces.count])
        // Every other piece as a collection without contiguous storage.
        if turn % 2 == 0 {
            framer.append(bytes[place..<end]) { frames.append($0) }
        } else {
            framer.append(bytes[place..<end].lazy.map { $0 }) { frames.append($0) }
        }
        must(framer.pendingBytes < maximumBytes, "no more than a frame waits")
        (place, turn) = (end, turn + 1)
    }
    must(
        frames == expectedFrames(of: bytes, maximumBytes: maximumBytes), "frames do not depend on how bytes are cut")
    return frames.compactMap { if case .line(let line) = $0 { line } else { nil } }
}

func checkJSON(_ bytes: [UInt8]) {
    let value: JSONValue
    do throws(JSONError) {
        value = try JSONReader.value(of: bytes)
    } catch {
        return must((0...bytes.count).contains(error.offset), "an error stands at a byte of the frame")
    }
    var writer = JSONWriter()
    writer.value(value)
    must(writer.bytes.allSatisfy { $0 >= 0x20 }, "JSON is written on one line")
    let again = mustNotThrow("what is written can be read") { () throws(JSONError) in
        try JSONReader.value(of: writer.bytes)
    }
    must(isSame(value, again), "what is read again is the same")
    var second = JSONWriter()
    second.value(again)
    must(second.bytes == writer.bytes, "the same value is written the same way")
}

fuzz { input in
    var choices = Choices(input)
    let maximumBytes = choices.one(of: [Limits.frameBytes, 2, 16, 100])
    var pieces = [1 + Int(choices.byte()), 1 + Int(choices.byte())]
    let bytes = choices.remainder()
    // At most about 64 of them, so that a long input takes no longer than others.
    pieces = pieces.map { max($0, bytes.count / 64) }
    for line in checkFramer(bytes, maximumBytes: maximumBytes, pieces: pieces) { checkJSON(line) }
    checkJSON(bytes)
}
