internal import WireProtocol

/// What sessions and tracks may be called.
enum Naming {
    /// `text` on one line; `nil` for none, and for one that shows nothing.
    static func title(_ text: String?) -> String? { shown(SafeText.line(text ?? "")) }

    /// The same, of a track.
    static func label(_ text: String?) -> String? {
        shown(SafeText.line(text ?? "", maximumCharacters: SessionLibrary.labelCharacters))
    }

    private static func shown(_ line: String) -> String? {
        line.unicodeScalars.allSatisfy(isInvisible) ? nil : line
    }

    /// Spaces of all widths, joiners and marks of direction, of which a line may well have some, but not all.
    private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || scalar.properties.isDefaultIgnorableCodePoint
    }

    /// Labels in their order, each that stood before with a number behind it: tracks are chosen by label, upper and lower
    /// case alike.
    static func distinct(_ labels: [String]) -> [String] {
        var taken: Set<String> = []
        return labels.map { label in
            var name = label
            var number = 2
            while !taken.insert(name.lowercased()).inserted {
                name = "\(label) (\(number))"
                number += 1
            }
            return name
        }
    }
}
