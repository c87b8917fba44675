/// Cuts text into lines.
enum SourceLines {
    /// The lines' bytes without their ends: LF, CRLF, CR, or any number of CRs before an LF.
    ///
    /// The last is what a file that went twice through a text-mode copy has; lone CRs are line ends of their own.
    static func ranges(of bytes: [UInt8]) -> [Range<Int>] {
        var lines: [Range<Int>] = []
        lines.reserveCapacity(bytes.count / 20 + 1)
        var start = 0
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte == 0x0A {
                lines.append(start..<place)
                place += 1
                start = place
            } else if byte == 0x0D {
                var next = place + 1
                while next < bytes.count, bytes[next] == 0x0D { next += 1 }
                lines.append(start..<place)
                if next < bytes.count, bytes[next] == 0x0A {
                    place = next + 1
                } else {
                    // CRs alone: each further one ends an empty line.
                    for further in place + 1..<next { lines.append(further..<further) }
                    place = next
                }
                start = place
            } else {
                place += 1
            }
        }
        lines.append(start..<bytes.count)
        return lines
    }
}
