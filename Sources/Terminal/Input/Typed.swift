internal import TextScreen

/// Single letters and control characters.
enum Typed {
    /// A letter beyond ASCII; nothing if the bytes are not UTF-8, or if there is nothing to see.
    static func letter(_ bytes: [UInt8]) -> [ScreenInput] {
        guard let scalar = String(validating: bytes, as: UTF8.self)?.unicodeScalars.first else { return [] }
        switch scalar.properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return []
        default: return [.key(.character(Character(scalar)))]
        }
    }

    static func control(_ byte: UInt8) -> [ScreenInput] {
        switch byte {
        case 0x03, 0x04: [.key(.interrupt)]
        case 0x08, 0x7F: [.key(.backspace)]
        case 0x09: [.key(.tab)]
        case 0x0A, 0x0D: [.key(.enter)]
        case 0x0C: [.exposed]
        case 0x15: [.key(.clear)]
        case 0x1A: [.key(.suspend)]
        default: []
        }
    }
}
