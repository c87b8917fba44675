internal import TextScreen

/// What xterm and its kin send for keys and for the mouse: `ESC [`, parameters, and a final byte.
enum ControlSequence {
    static func events(parameters: ArraySlice<UInt8>, final: UInt8) -> [ScreenInput] {
        let isMouse = parameters.first == UInt8(ascii: "<")
        guard let numbers = numbers(isMouse ? parameters.dropFirst() : parameters) else { return [] }
        return isMouse ? Mouse.report(numbers, final: final) : key(final: final, parameters: numbers)
    }

    /// With Shift, Ctrl or Alt, which are the second parameter, a key is the same key.
    static func key(final: UInt8, parameters: [Int]) -> [ScreenInput] {
        let key: ScreenInput.Key? =
            switch final {
            case UInt8(ascii: "A"): .up
            case UInt8(ascii: "B"): .down
            case UInt8(ascii: "C"): .right
            case UInt8(ascii: "D"): .left
            case UInt8(ascii: "H"): .home
            case UInt8(ascii: "F"): .end
            case UInt8(ascii: "Z"): .backTab
            case UInt8(ascii: "M") where parameters.isEmpty: .enter
            case UInt8(ascii: "~"): numbered(parameters.first)
            default: nil
            }
        return key.map { [.key($0)] } ?? []
    }

    /// The numbers of a VT220, and those of rxvt for Home and End.
    private static func numbered(_ number: Int?) -> ScreenInput.Key? {
        switch number {
        case 1, 7: .home
        case 4, 8: .end
        case 5: .pageUp
        case 6: .pageDown
        default: nil
        }
    }

    /// Decimal numbers of at most five digits between semicolons; `nil` if anything else is among them.
    private static func numbers(_ bytes: ArraySlice<UInt8>) -> [Int]? {
        var numbers: [Int] = []
        for part in bytes.split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false) {
            guard part.count <= 5, part.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
            numbers.append(part.reduce(0) { $0 * 10 + Int($1 - 0x30) })
        }
        return numbers
    }
}
