/// The lines of a text without their ends: LF, CRLF, CR, or any number of CRs before an LF.
///
/// The last is what a file that went twice through a text-mode copy has; lone CRs are line ends of their own. Lines are
/// found one by one, since a list of them would be larger than the text.
struct SourceLines: Sequence, IteratorProtocol {
    private let bytes: [UInt8]
    private let end: Int
    private var start: Int
    /// Up to here CRs are known to stand without an LF behind them.
    private var loneReturnsEnd = 0
    private var isDone = false

    init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
        self.bytes = bytes
        let range = range ?? bytes.indices
        start = range.lowerBound
        end = range.upperBound
    }

    mutating func next() -> Range<Int>? {
        if isDone { return nil }
        let first = start
        let place = bytes.withUnsafeBufferPointer { buffer in
            var place = first
            while place < end, buffer[place] != 0x0A, buffer[place] != 0x0D { place += 1 }
            return place
        }
        if place == end {
            isDone = true
        } else {
            start = bytes[place] == 0x0A ? place + 1 : afterReturns(at: place)
        }
        return first..<place
    }

    /// Where the line after the CRs at `place` begins.
    private mutating func afterReturns(at place: Int) -> Int {
        if place < loneReturnsEnd { return place + 1 }
        var next = place + 1
        while next < end, bytes[next] == 0x0D { next += 1 }
        if next < end, bytes[next] == 0x0A { return next + 1 }
        loneReturnsEnd = next
        return place + 1
    }
}
