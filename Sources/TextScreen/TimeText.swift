/// Times as people read and type them.
package enum TimeText {
    /// Largest time shown, in seconds (999 999 hours), so that any double can be shown.
    private static let largest = 3_599_999_999.0

    /// Reads `H:MM:SS`, `M:SS` or `S`, each with an optional decimal fraction; only the first part may pass 59.
    /// - Returns: seconds, or `nil` for anything else, a sign or a space included.
    package static func seconds(from text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = parts.last else { return nil }
        let decimals = last.split(separator: ".", omittingEmptySubsequences: false)
        guard decimals.count <= 2, decimals.allSatisfy(isNumber), let whole = Int(decimals[0]) else { return nil }
        if parts.count > 1, whole >= 60 { return nil }
        var total = 0
        for (place, part) in parts.dropLast().enumerated() {
            guard isNumber(part), let value = Int(part), place == 0 || value < 60 else { return nil }
            total = total * 60 + value
        }
        // Read as one decimal number, so that the nearest double comes out and not the sum of two roundings.
        return Double("\(total * 60 + whole)." + (decimals.count == 2 ? decimals[1] : "0"))
    }

    /// `M:SS`, from an hour on `H:MM:SS`, cut to whole seconds; `0:00` for a negative or no number.
    package static func elapsed(_ seconds: Double) -> String {
        let (hours, minutes, rest) = parts(wholeSeconds(seconds))
        return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(minutes):\(padded(rest))"
    }

    /// What is left of `duration`, as `-M:SS`; `-0:00` at the end and past it.
    package static func remaining(_ elapsed: Double, of duration: Double) -> String {
        "-" + self.elapsed(max(0, duration - elapsed))
    }

    /// `MM:SS`, from an hour on `H:MM:SS`, for a list of cues.
    package static func cue(_ seconds: Double) -> String {
        let (hours, minutes, rest) = parts(wholeSeconds(seconds))
        return hours > 0 ? "\(hours):\(padded(minutes)):\(padded(rest))" : "\(padded(minutes)):\(padded(rest))"
    }

    /// `H:MM:SS.mmm`, rounded to the millisecond; what `seconds(from:)` reads back.
    package static func precise(_ seconds: Double) -> String {
        let milliseconds = seconds.isFinite ? Int((min(largest, max(0, seconds)) * 1000).rounded()) : 0
        let (hours, minutes, rest) = parts(milliseconds / 1000)
        return "\(hours):\(padded(minutes)):\(padded(rest)).\(padded(milliseconds % 1000, 3))"
    }

    private static func wholeSeconds(_ seconds: Double) -> Int {
        seconds.isFinite ? Int(min(largest, max(0, seconds))) : 0
    }

    private static func parts(_ seconds: Int) -> (hours: Int, minutes: Int, seconds: Int) {
        (seconds / 3600, seconds / 60 % 60, seconds % 60)
    }

    private static func padded(_ value: Int, _ width: Int = 2) -> String {
        let digits = String(value)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    /// One to nine ASCII digits.
    private static func isNumber(_ text: Substring) -> Bool {
        (1...9).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
    }
}
