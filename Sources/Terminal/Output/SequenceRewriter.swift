/// Replaces control sequences in what curses writes for the terminal.
///
/// All begin with ESC, which no text on the screen holds.
struct SequenceRewriter {
    private static let escape: UInt8 = 0x1B

    private var rules: [(from: [UInt8], to: [UInt8])] = []

    mutating func replace(_ sequence: String, with other: String = "") {
        guard sequence.utf8.first == Self.escape else { return }
        rules.append((Array(sequence.utf8), Array(other.utf8)))
    }

    func rewritten(_ bytes: [UInt8]) -> [UInt8] {
        guard !rules.isEmpty else { return bytes }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + bytes.count / 4)
        var rest = bytes[...]
        while let next = rest.firstIndex(of: Self.escape) {
            result += rest[..<next]
            rest = rest[next...]
            if let rule = rules.first(where: { rest.starts(with: $0.from) }) {
                result += rule.to
                rest = rest.dropFirst(rule.from.count)
            } else {
                result.append(Self.escape)
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }
}
