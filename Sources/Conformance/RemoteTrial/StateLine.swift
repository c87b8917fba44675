/// What a remote answers to an empty line: the shown position, the state, title and cue.
package struct StateLine: Equatable, Sendable {
    /// Seconds; `nil` for `-:--`, where no film is shown.
    package let position: Double?
    /// The word after the position, such as `playing` or `paused`.
    package let state: String
    /// Everything after the position.
    package let text: String

    /// Reads a line that begins with `M:SS.ss`, `H:MM:SS.ss` or `-:--`; `nil` for any other.
    package init?(_ line: String) {
        let words = line.split(separator: " ", omittingEmptySubsequences: true)
        guard let clock = words.first else { return nil }
        if clock == "-:--" {
            position = nil
        } else {
            guard let seconds = Self.seconds(clock) else { return nil }
            position = seconds
        }
        state = words.count > 1 ? String(words[1]) : ""
        text = words.dropFirst().joined(separator: " ")
    }

    private static func seconds(_ clock: Substring) -> Double? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.first?.isNumber == true }),
            let last = parts.last.flatMap({ Double($0) }), last < 60.005
        else { return nil }
        var whole = 0
        for part in parts.dropLast() {
            guard let number = Int(part) else { return nil }
            whole = whole * 60 + number
        }
        return Double(whole) * 60 + last
    }
}
