internal import TextScreen
internal import WireProtocol

/// A line that is being typed.
struct LineInput: Equatable {
    /// Characters; more than any address or query that means something.
    static let longest = 120

    private(set) var text = ""

    /// - Returns: whether the line is another now.
    mutating func take(_ key: ScreenInput.Key) -> Bool {
        let before = text
        switch key {
        case .character(let character):
            // A paste may hold anything. The sign behind keeps a space that is typed before the next word.
            let safe = SafeText.line("\(text)\(character)|", maximumCharacters: .max)
            guard safe.count <= Self.longest + 1 else { return false }
            text = String(safe.dropLast())
        case .backspace: _ = text.popLast()
        case .clear: text = ""
        default: return false
        }
        return text != before
    }
}
