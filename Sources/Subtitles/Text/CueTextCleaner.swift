/// Makes one cue's lines fit for showing: formatting codes out, control characters harmless, words untouched.
struct CueTextCleaner {
    /// WebVTT has tags and character references of its own.
    let isWebVTT: Bool

    private var output: [UInt8] = []
    /// Where in `output` this line's unclosed `<` and `{` stand.
    private var openAngles: [Int] = []
    private var openBraces: [Int] = []
    private var lineStart = 0
    private var owesBlankLine = false
    private(set) var wasCut = false

    init(isWebVTT: Bool) {
        self.isWebVTT = isWebVTT
    }

    /// Forgets the last cue; keeps the memory.
    mutating func begin() {
        output.removeAll(keepingCapacity: true)
        lineStart = 0
        owesBlankLine = false
        wasCut = false
    }

    /// Blank lines inside a text are kept as one, those around it are not.
    mutating func appendBlankLine() {
        owesBlankLine = !output.isEmpty
    }

    /// Appends a line of the file that is not blank.
    mutating func append(_ line: Range<Int>, of bytes: [UInt8]) {
        guard output.count < SubtitleReader.maximumTextBytes else {
            wasCut = true
            return
        }
        beginLine()
        var place = line.lowerBound
        while place < line.upperBound {
            let ordinary = Self.ordinaryBytes(of: bytes, in: place..<line.upperBound)
            output.append(contentsOf: bytes[place..<place + ordinary])
            place += ordinary
            guard place < line.upperBound else { break }
            // Codes may still be taken out of what is over the limit, but not without end.
            if output.count > 2 * SubtitleReader.maximumTextBytes { break }
            place += consumeSpecial(bytes[place], bytes: bytes, at: place, end: line.upperBound)
        }
        endLine()
    }

    /// What `append` has gathered since `begin`, `nil` where nothing is left.
    mutating func text() -> String? {
        var end = output.count
        if end > SubtitleReader.maximumTextBytes {
            wasCut = true
            end = SubtitleReader.maximumTextBytes
            while end > 0, output[end] & 0xC0 == 0x80 { end -= 1 }
        }
        while end > 0, output[end - 1] <= 0x20 { end -= 1 }
        return end == 0 ? nil : String(decoding: output[..<end], as: UTF8.self)
    }

    private mutating func beginLine() {
        openAngles.removeAll(keepingCapacity: true)
        openBraces.removeAll(keepingCapacity: true)
        lineStart = output.count
        if lineStart > 0 {
            output.append(0x0A)
            if owesBlankLine { output.append(0x0A) }
        }
    }

    private mutating func endLine() {
        var contentStart = lineStart
        while contentStart < output.count, output[contentStart] == 0x0A { contentStart += 1 }
        while output.count > contentStart, output[output.count - 1] == 0x20 { output.removeLast() }
        if output.count == contentStart {
            output.removeLast(output.count - lineStart)
            return
        }
        owesBlankLine = false
        var spaces = 0
        while output[contentStart + spaces] == 0x20 { spaces += 1 }
        if spaces > 0 { output.removeSubrange(contentStart..<contentStart + spaces) }
    }

    /// Handles the byte at `place` and whatever belongs to it; returns how many bytes that was.
    private mutating func consumeSpecial(_ byte: UInt8, bytes: [UInt8], at place: Int, end: Int) -> Int {
        func next(_ distance: Int) -> UInt8 { place + distance < end ? bytes[place + distance] : 0 }
        switch byte {
        case UInt8(ascii: "<"):
            openAngles.append(output.count)
        case UInt8(ascii: ">"):
            // Looking back in what was kept, not ahead in the file, leaves no tag that removing another one makes.
            if let open = openAngles.popLast(), FormattingCode.isTag(output[(open + 1)...], isWebVTT: isWebVTT) {
                let isBreak = FormattingCode.isLineBreak(output[(open + 1)...])
                cut(to: open)
                if isBreak { output.append(0x0A) }
                return 1
            }
        case UInt8(ascii: "{"):
            openBraces.append(output.count)
        case UInt8(ascii: "}"):
            if let open = openBraces.popLast(), FormattingCode.isBraceCode(output[(open + 1)...]) {
                cut(to: open)
                return 1
            }
        case UInt8(ascii: "&"):
            if let reference = CharacterReference.match(bytes[place..<min(end, place + 8)], isWebVTT: isWebVTT) {
                output += reference.utf8
                return reference.length
            }
        case 0x1B:
            return EscapeSequence.length(in: bytes, at: place, end: end)
        case 0x09, 0x0B, 0x0C:
            output.append(0x20)
            return 1
        case 0x00..<0x20, 0x7F:
            return 1
        case 0xC2 where (0x80...0x9F).contains(next(1)):
            return 2
        case 0xE2 where next(1) == 0x80 && (0xA8...0xA9).contains(next(2)):
            output.append(0x0A)
            return 3
        case 0xEF where next(1) == 0xBB && next(2) == 0xBF:
            return 3
        case 0xC2, 0xE2, 0xEF:
            // A letter cut short: what follows once something between is taken out must not make it whole.
            let length = byte == 0xC2 ? 2 : 3
            if let end = (1..<length).first(where: { next($0) & 0xC0 != 0x80 }) {
                output += Self.replacement
                return end
            }
        default: break
        }
        output.append(byte)
        return 1
    }

    /// Takes back what was kept from `place` on, brackets that were open there included.
    private mutating func cut(to place: Int) {
        output.removeLast(output.count - place)
        while let open = openAngles.last, open >= place { openAngles.removeLast() }
        while let open = openBraces.last, open >= place { openBraces.removeLast() }
    }

    /// U+FFFD.
    private static let replacement: [UInt8] = [0xEF, 0xBF, 0xBD]

    private static func ordinaryBytes(of bytes: [UInt8], in range: Range<Int>) -> Int {
        let isOrdinary = isOrdinary
        return bytes.withUnsafeBufferPointer { buffer in
            isOrdinary.withUnsafeBufferPointer { isOrdinary in
                var place = range.lowerBound
                while place < range.upperBound, isOrdinary[Int(buffer[place])] { place += 1 }
                return place - range.lowerBound
            }
        }
    }

    /// Bytes that are copied without a look around.
    private static let isOrdinary: [Bool] = (0...255).map { byte in
        switch byte {
        case 0..<0x20, 0x7F, 0xC2, 0xE2, 0xEF: false
        case 0x26, 0x3C, 0x3E, 0x7B, 0x7D: false
        default: true
        }
    }
}
