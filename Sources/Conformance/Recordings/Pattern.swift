package import WireProtocol

/// What a value of a host's line may be.
///
/// An object is matched key by key, and keys it does not name are not looked at, since the protocol only grows.
package indirect enum Pattern: Equatable, Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case text, number, integer, boolean, object, array, date
    }

    /// A number that may vary.
    package struct Number: Equatable, Sendable {
        package enum Base: Equatable, Sendable {
            case value(Double)
            case variable(String)
            /// Where the film is, at the line's own `serverDate`, by the anchor of that name.
            case follows(String)
            /// Whatever it is.
            case any
        }

        package var base: Base
        package var plus = 0.0
        /// Largest departure either way.
        package var within = 0.0
        /// The line's anchor gets this name.
        package var anchor: String?
        /// The position that this remote shows when the line comes is the one that the anchor gives there.
        package var isShown = false

        package init(_ base: Base, plus: Double = 0, within: Double = 0, anchor: String? = nil) {
            self.base = base
            self.plus = plus
            self.within = within
            self.anchor = anchor
        }
    }

    package struct Member: Equatable, Sendable {
        package var key: String
        package var pattern: Pattern

        package init(_ key: String, _ pattern: Pattern) {
            self.key = key
            self.pattern = pattern
        }
    }

    /// Exactly this; numbers are compared as doubles.
    case literal(JSONValue)
    case object([Member])
    /// As many elements, in this order.
    case array([Pattern])
    case any
    /// Missing or `null`.
    case absent
    case kind(Kind)
    /// The first value seen gets this name, and later ones are equal to it.
    case variable(String)
    case number(Number)
    case oneOf([Pattern])
    case not(Pattern)

    /// The pattern of an object's member.
    package subscript(key: String) -> Pattern? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key == key }?.pattern
    }

    /// The value, where only one will do.
    package var literal: JSONValue? {
        if case .literal(let value) = self { value } else { nil }
    }

    /// The `kind` of the lines it is about.
    package var frameKind: String? { self["kind"]?.literal?.stringValue }

    /// The `re` of the lines it is about.
    package var re: JSONValue? { self["re"]?.literal }

    /// In words, for a failure.
    package var text: String {
        switch self {
        case .literal(let value): Self.text(of: value)
        case .object(let members):
            "{" + members.map { "\($0.key): \($0.pattern.text)" }.joined(separator: ", ") + "}"
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ", ") + "]"
        case .any: "anything"
        case .absent: "nothing"
        case .kind(let kind): "some \(kind.rawValue)"
        case .variable(let name): "the same \(name)"
        case .number(let number): number.text
        case .oneOf(let patterns): patterns.map(\.text).joined(separator: " or ")
        case .not(let pattern): "not \(pattern.text)"
        }
    }

    /// A value as JSON.
    package static func text(of value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Pattern.Number {
    var text: String {
        let base =
            switch base {
            case .value(let value): Pattern.text(of: .number(value))
            case .variable(let name): name
            case .follows(let anchor): "position by anchor \(anchor)"
            case .any: "some number"
            }
        let sum = plus == 0 ? base : "\(base) \(plus < 0 ? "-" : "+") \(Pattern.text(of: .number(abs(plus))))"
        return within == 0 ? sum : "\(sum) ± \(Pattern.text(of: .number(within)))"
    }
}
