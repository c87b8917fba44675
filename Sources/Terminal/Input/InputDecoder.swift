internal import TextScreen
internal import WireProtocol

/// What a terminal sends, as what a hand did; whatever it is not meant to send is passed over.
///
/// Knows ECMA-48's control sequences, xterm's keys and mouse reports (1000 and 1006), UTF-8, and the keys terminfo adds.
struct InputDecoder {
    private enum State: Equatable {
        case ground
        /// From ESC on.
        case sequence([UInt8])
        /// What a terminal answers when somebody has asked it something (OSC, DCS, APC …), up to BEL or `ESC \`; it is
        /// nobody's keys.
        case string(hasEscape: Bool)
        /// The rest of a mouse report of the old kind, `ESC [ M` and three bytes.
        case oldMouse([UInt8])
        /// A letter of several bytes, of which so many are missing.
        case letter([UInt8], missing: Int)
    }

    /// Longest sequence that can mean anything; a mouse report has at most 20 bytes.
    private static let longest = 32
    /// One more byte follows: the Linux console's function keys.
    private static let consoleKey = Array("\u{1B}[[".utf8)
    /// How long the rest of a sequence may take on a slow line, in seconds.
    private static let restWithin = 1.0

    private let keys: [[UInt8]: ScreenInput.Key]
    private var state = State.ground
    private var lastByte = SteadyTime(nanoseconds: 0)
    /// When an ESC was taken for the key, since nothing followed in time.
    private var escapedAt: SteadyTime?

    /// - Parameter keys: sequences that terminfo has for this terminal.
    init(keys: [[UInt8]: ScreenInput.Key] = [:]) {
        self.keys = keys
    }

    /// The last byte is an ESC: the key if nothing follows at once, else the begin of a sequence.
    var mayBeEscapeKey: Bool { state == .sequence([0x1B]) }

    /// Nothing has followed: the ESC is the key.
    mutating func pause(at now: SteadyTime) -> [ScreenInput] {
        guard mayBeEscapeKey else { return [] }
        state = .ground
        escapedAt = now
        return [.key(.escape)]
    }

    mutating func feed(_ bytes: ArraySlice<UInt8>, at now: SteadyTime) -> [ScreenInput] {
        defer { lastByte = now }
        if state != .ground, now - lastByte > Self.restWithin { state = .ground }
        var events: [ScreenInput] = []
        var rest = bytes
        if let late = lateSequence(in: bytes, at: now) {
            events += late.events
            rest = rest.dropFirst(late.length)
        }
        if !bytes.isEmpty { escapedAt = nil }
        for byte in rest { take(byte, &events) }
        return events
    }

    /// A sequence whose ESC came so long before that it was taken for the key: otherwise an arrow key on a bad line
    /// would be `[` and a letter, and do what these do.
    private func lateSequence(in bytes: ArraySlice<UInt8>, at now: SteadyTime) -> (events: [ScreenInput], length: Int)?
    {
        guard let escapedAt, now - escapedAt < Self.restWithin, state == .ground else { return nil }
        guard bytes.first == UInt8(ascii: "[") || bytes.first == UInt8(ascii: "O") else { return nil }
        var trial = self
        var events: [ScreenInput] = []
        trial.state = .sequence([0x1B])
        for (count, byte) in bytes.prefix(Self.longest).enumerated() {
            trial.take(byte, &events)
            if trial.state == .ground { return events.isEmpty ? nil : (events, count + 1) }
        }
        return nil
    }

    private mutating func take(_ byte: UInt8, _ events: inout [ScreenInput]) {
        switch state {
        case .ground: takeFresh(byte, &events)
        case .sequence(let begun): continueSequence(begun, byte, &events)
        case .string(let hasEscape): continueString(hasEscape: hasEscape, byte, &events)
        case .oldMouse(let begun):
            state = begun.count < 2 ? .oldMouse(begun + [byte]) : .ground
            if begun.count == 2 { events += Mouse.old(begun + [byte]) }
        case .letter(let begun, let missing):
            guard byte & 0xC0 == 0x80 else {
                state = .ground
                return takeFresh(byte, &events)
            }
            state = missing > 1 ? .letter(begun + [byte], missing: missing - 1) : .ground
            if missing == 1 { events += Typed.letter(begun + [byte]) }
        }
    }

    private mutating func takeFresh(_ byte: UInt8, _ events: inout [ScreenInput]) {
        switch byte {
        case 0x1B: state = .sequence([byte])
        case ..<0x20, 0x7F: events += Typed.control(byte)
        case ..<0x80: events.append(.key(.character(Character(Unicode.Scalar(byte)))))
        case 0xC2...0xDF: state = .letter([byte], missing: 1)
        case 0xE0...0xEF: state = .letter([byte], missing: 2)
        case 0xF0...0xF4: state = .letter([byte], missing: 3)
        default: break
        }
    }

    /// ECMA-48, 5.6: device control, start of string, privacy message, application program command; after an ESC.
    private static let stringBegins = Set("PX^_".utf8)

    private mutating func continueString(hasEscape: Bool, _ byte: UInt8, _ events: inout [ScreenInput]) {
        switch byte {
        case 0x1B: state = .string(hasEscape: true)
        case 0x07: state = .ground
        case UInt8(ascii: "\\") where hasEscape: state = .ground
        // Cut off: another sequence has begun.
        case _ where hasEscape:
            state = .sequence([0x1B])
            continueSequence([0x1B], byte, &events)
        case 0x03:
            state = .ground
            takeFresh(byte, &events)
        default: state = .string(hasEscape: false)
        }
    }

    private mutating func continueSequence(_ begun: [UInt8], _ byte: UInt8, _ events: inout [ScreenInput]) {
        let sequence = begun + [byte]
        if let key = keys[sequence] {
            state = .ground
            events.append(.key(key))
        } else if byte < 0x20 || byte >= 0x7F {
            // No sequence goes on like this. The key means what it always does: Ctrl-C has to end in any state.
            state = .ground
            if begun.count == 1 { events.append(.key(.escape)) }
            takeFresh(byte, &events)
        } else if begun.count == 1, Self.stringBegins.contains(byte) {
            state = .string(hasEscape: false)
        } else if begun.count == 1, byte == UInt8(ascii: "]") {
            state = .sequence(sequence)
        } else if begun[1...] == [UInt8(ascii: "]")] {
            guard (0x30...0x39).contains(byte) else {
                // Keys, typed one after the other: an operating system command begins with its number.
                state = .ground
                events += [.key(.escape), .key(.character("]"))]
                return takeFresh(byte, &events)
            }
            state = .string(hasEscape: false)
        } else if begun.count == 1 {
            guard byte == UInt8(ascii: "[") || byte == UInt8(ascii: "O") else {
                // Typed one after the other, and brought together by the line; keys with Alt have no meaning here.
                state = keys.keys.contains { $0.starts(with: sequence) } ? .sequence(sequence) : .ground
                if state == .ground {
                    events.append(.key(.escape))
                    takeFresh(byte, &events)
                }
                return
            }
            state = .sequence(sequence)
        } else if begun[1] == UInt8(ascii: "O") {
            state = .ground
            events += ControlSequence.key(final: byte, parameters: [])
        } else if sequence == Array("\u{1B}[M".utf8) {
            state = .oldMouse([])
        } else if (0x40...0x7E).contains(byte), sequence != Self.consoleKey {
            state = .ground
            if begun == Self.consoleKey { return }
            events += ControlSequence.events(parameters: sequence[2..<(sequence.count - 1)], final: byte)
        } else if sequence.count < Self.longest {
            state = .sequence(sequence)
        } else {
            // It goes on until its end, unread: what is in it must not be taken for keys.
            state = .sequence(Array(sequence.prefix(2)) + [UInt8(ascii: "?")])
        }
    }
}
