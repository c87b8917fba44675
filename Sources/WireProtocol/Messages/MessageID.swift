/// The `id` an asker chose; it comes back untouched as `re`.
package enum MessageID: Hashable, Sendable {
    case integer(Int)
    case text(String)

    init?(_ value: JSONValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .string(let text) where text.utf8.count <= Limits.identifierBytes: self = .text(text)
        default: return nil
        }
    }

    func write(to writer: inout JSONWriter) {
        switch self {
        case .integer(let number): writer.integer(number)
        case .text(let text): writer.string(text)
        }
    }
}
