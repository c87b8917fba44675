internal import TextScreen

/// How numbers are said on the screen.
enum Wording {
    /// `+5`, `-0.5`, `+12:03`: seconds of a skip, with their sign.
    static func signed(_ seconds: Double) -> String {
        let sign = seconds < 0 ? "-" : "+"
        let size = abs(seconds)
        if size >= 60 { return sign + TimeText.elapsed(size.rounded()) }
        let tenths = Int((size * 10).rounded())
        return sign + (tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)")
    }

    /// What a jump was, for the line that tells of it.
    static func jump(_ jump: Jump) -> String {
        abs(jump.seconds) < 60
            ? "skipped \(signed(jump.seconds)) s"
            : "went from \(TimeText.elapsed(jump.from)) to \(TimeText.elapsed(jump.to))"
    }

    /// `12 s`, `3 min`, `2 h`: how long ago.
    static func ago(_ seconds: Int) -> String {
        switch seconds {
        case ..<60: "\(max(0, seconds)) s"
        case ..<3600: "\(seconds / 60) min"
        default: "\(seconds / 3600) h"
        }
    }

    static func percent(_ volume: Double) -> String { "\(Int((volume * 100).rounded())) %" }
}
