import Foundation

/// A page of `Protocol/`, taken apart.
struct SpecificationText {
    /// A fenced block whose information string begins with `json`.
    struct Block {
        /// What follows `json`: who sends the lines, or what they are.
        var label: String
        var lines: [String]
    }

    let text: String
    private(set) var blocks: [Block] = []

    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Protocol")

    init(_ name: String) throws {
        text = try String(contentsOf: Self.folder.appendingPathComponent(name), encoding: .utf8)
        var open: Block?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if line.hasPrefix("```") {
                if let block = open {
                    if block.label.hasPrefix("json") { blocks.append(block) }
                    open = nil
                } else {
                    open = Block(label: String(line.dropFirst(3)), lines: [])
                }
            } else {
                open?.lines.append(line)
            }
        }
    }

    func lines(_ label: String) -> [String] {
        blocks.filter { $0.label == label }.flatMap(\.lines)
    }

    /// The cells of each row of the table whose first headings are `heading`.
    func table(_ heading: String) -> [[String]] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(where: { $0.hasPrefix("| \(heading) |") }) else { return [] }
        return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }
}
