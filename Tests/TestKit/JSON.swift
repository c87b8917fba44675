import Foundation

/// A JSON value as another program would read it: by a parser that is not ours.
package enum JSON: Decodable, Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case array([JSON])
    case object([String: JSON])

    package init(_ text: String) throws {
        do {
            self = try JSONDecoder().decode(JSON.self, from: Data(text.utf8))
        } catch {
            throw TestFailure("Not JSON: \(text.prefix(300))")
        }
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    /// The member of that name; `null` where this is no object or has no such member.
    package subscript(_ key: String) -> JSON {
        if case .object(let members) = self { members[key] ?? .null } else { .null }
    }

    package subscript(_ index: Int) -> JSON {
        if case .array(let items) = self, items.indices.contains(index) { items[index] } else { .null }
    }

    package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }
    package var number: Double? { if case .number(let value) = self { value } else { nil } }
    package var text: String? { if case .text(let value) = self { value } else { nil } }
    package var array: [JSON]? { if case .array(let value) = self { value } else { nil } }
    package var object: [String: JSON]? { if case .object(let value) = self { value } else { nil } }
}
