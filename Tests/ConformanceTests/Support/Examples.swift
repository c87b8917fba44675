import Foundation
import TestKit

/// The example lines of the pages in `Protocol/`.
enum Examples {
    /// Lines of the fenced blocks that begin with `json` and that label: `host`, `remote`, `bundle`, `refused`.
    static func lines(_ label: String) throws -> [String] {
        let folder = Repository.folder("Protocol")
        let pages = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".md") }
        var found: [String] = []
        for page in pages.sorted() {
            var isOpen = false
            for line in try Repository.text("Protocol/\(page)").split(separator: "\n") {
                if line.hasPrefix("```") {
                    isOpen = line == "```json \(label)"
                } else if isOpen {
                    found.append(String(line))
                }
            }
        }
        return found
    }

    /// The faulty lines of the pages, without the code that stands before each.
    static func refused() throws -> [String] {
        try lines("refused").compactMap { line in
            line.firstIndex(of: " ").map { String(line[line.index(after: $0)...]) }
        }
    }
}

extension JSON {
    /// Every place in the value, the outermost first.
    var paths: [[String]] {
        switch self {
        case .object(let members):
            [[]] + members.sorted { $0.key < $1.key }.flatMap { key, value in value.paths.map { [key] + $0 } }
        case .array(let items):
            [[]] + items.enumerated().flatMap { place, value in value.paths.map { ["\(place)"] + $0 } }
        default: [[]]
        }
    }

    /// The value with another at `path`, or with nothing there.
    func replacing(_ path: some Collection<String>, by new: JSON?) -> JSON? {
        guard let first = path.first else { return new }
        switch self {
        case .object(var members):
            members[first] = (members[first] ?? .null).replacing(path.dropFirst(), by: new)
            return .object(members)
        case .array(var items):
            guard let place = Int(first) else { return self }
            if let changed = items[place].replacing(path.dropFirst(), by: new) {
                items[place] = changed
            } else {
                items.remove(at: place)
            }
            return .array(items)
        default: return self
        }
    }

    /// As JSON text, by a writer that is not ours.
    var line: String {
        get throws {
            let data = try JSONSerialization.data(
                withJSONObject: foundation, options: [.sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes])
            return String(decoding: data, as: UTF8.self)
        }
    }

    private var foundation: Any {
        switch self {
        case .null: NSNull()
        case .bool(let value): value
        case .number(let value): Int(exactly: value).map { $0 as Any } ?? value
        case .text(let value): value
        case .array(let items): items.map(\.foundation)
        case .object(let members): members.mapValues(\.foundation)
        }
    }
}
