package import WireProtocol

/// What a remote sends: a frame with places to fill in, or bytes as they are.
package indirect enum Utterance: Equatable, Sendable {
    /// A frame in which `{"$var": name}` and `{"$now": true}` stand for values.
    case frame(JSONValue)
    case text(String)
    case bytes([UInt8])
    case repeated(Utterance, times: Int)
    case joined([Utterance])

    /// Bytes one line of a recording may make, against a slip in `times`.
    package static let maximumBytes = 1 << 20

    /// The bytes for the wire, line end included; `nil` when a variable is not known yet, or there are too many.
    package func encoded(_ facts: Facts, remoteClock: Double) -> [UInt8]? {
        switch self {
        case .frame(let frame):
            guard let value = Self.fill(frame, facts, remoteClock) else { return nil }
            var writer = JSONWriter()
            writer.value(value)
            return writer.bytes + [0x0A]
        case .text(let text): return Array(text.utf8)
        case .bytes(let bytes): return bytes
        case .repeated(let part, let times):
            guard let bytes = part.encoded(facts, remoteClock: remoteClock),
                bytes.count.multipliedReportingOverflow(by: max(1, times)).partialValue <= Self.maximumBytes
            else { return nil }
            return Array(repeatElement(bytes, count: times).joined())
        case .joined(let parts):
            var bytes: [UInt8] = []
            for part in parts {
                guard let more = part.encoded(facts, remoteClock: remoteClock) else { return nil }
                bytes += more
            }
            return bytes
        }
    }

    private static func fill(_ value: JSONValue, _ facts: Facts, _ clock: Double) -> JSONValue? {
        switch value {
        case .object(let members):
            if members.count == 1, members[0].key == "$var" {
                guard let name = members[0].value.stringValue, let value = facts.variables[name] else { return nil }
                return value
            }
            if members.count == 1, members[0].key == "$now" { return .number(clock) }
            var filled: [JSONValue.Member] = []
            for member in members {
                guard let value = fill(member.value, facts, clock) else { return nil }
                filled.append(.init(member.key, value))
            }
            return .object(filled)
        case .array(let elements):
            var filled: [JSONValue] = []
            for element in elements {
                guard let value = fill(element, facts, clock) else { return nil }
                filled.append(value)
            }
            return .array(filled)
        default: return value
        }
    }

    /// The names of the variables in it.
    package var variables: Set<String> {
        switch self {
        case .frame(let frame): Self.variables(of: frame)
        case .text, .bytes: []
        case .repeated(let part, _): part.variables
        case .joined(let parts): parts.reduce(into: []) { $0.formUnion($1.variables) }
        }
    }

    private static func variables(of value: JSONValue) -> Set<String> {
        switch value {
        case .object(let members):
            if members.count == 1, members[0].key == "$var", let name = members[0].value.stringValue { return [name] }
            return members.reduce(into: []) { $0.formUnion(variables(of: $1.value)) }
        case .array(let elements): return elements.reduce(into: []) { $0.formUnion(variables(of: $1)) }
        default: return []
        }
    }

    /// The `id` of the frame, where it has one.
    package var id: JSONValue? {
        if case .frame(let frame) = self { frame["id"] } else { nil }
    }
}
