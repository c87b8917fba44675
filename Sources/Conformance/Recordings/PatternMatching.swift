package import RemoteCore
package import WireProtocol

/// Where and how a line departs from its pattern.
package struct Mismatch: Error, Equatable, Sendable {
    /// Keys from the outside in, joined by dots; empty for the line itself.
    package var path: String
    package var expected: String
    package var got: String
}

/// A line of a host as patterns look at it.
package struct HeardLine: Equatable, Sendable {
    package var frame: JSONValue
    /// The anchor it carries.
    package var anchor: Anchor?
    /// The position that its remote shows when it comes, by the remote's own clock; `nil` before a `pong`.
    package var shown: Double?
    /// The host's date when it came, by the best clock the runner has; seconds since 1970.
    package var hostNow: Double?

    package init(_ frame: JSONValue, shown: Double? = nil, hostNow: Double? = nil) {
        self.frame = frame
        self.shown = shown
        self.hostNow = hostNow
        guard let payload = frame["payload"], let time = payload["currentTime"]?.doubleValue,
            let date = payload["serverDate"]?.stringValue.flatMap(WireDate.init(iso8601:)),
            let isPlaying = payload["isPlaying"]?.boolValue
        else { return }
        anchor = Anchor(
            currentTime: time, serverDate: date, isPlaying: isPlaying,
            duration: payload["duration"]?.doubleValue ?? 0)
    }
}

extension Pattern {
    /// Compares a whole line, and learns from it what the pattern names.
    ///
    /// - Throws: the first departure; `facts` are then as they were.
    package func match(_ line: HeardLine, learning facts: inout Facts) throws(Mismatch) {
        var learnt = facts
        try match(line.frame, at: "", of: line, &learnt)
        facts = learnt
    }

    private func match(
        _ value: JSONValue?, at path: String, of line: HeardLine, _ facts: inout Facts
    ) throws(Mismatch) {
        func mismatch() -> Mismatch {
            Mismatch(path: path, expected: text, got: value.map(Pattern.text(of:)) ?? "nothing")
        }
        switch self {
        case .any: if value == nil { throw mismatch() }
        case .absent: if let value, value != .null { throw mismatch() }
        case .literal(let wanted):
            guard let value, Self.equal(value, wanted) else { throw mismatch() }
        case .object(let members):
            guard case .object = value else { throw mismatch() }
            for member in members {
                let place = path.isEmpty ? member.key : "\(path).\(member.key)"
                try member.pattern.match(value?[member.key], at: place, of: line, &facts)
            }
        case .array(let elements):
            guard let values = value?.arrayValue, values.count == elements.count else { throw mismatch() }
            for (place, element) in elements.enumerated() {
                try element.match(values[place], at: "\(path).\(place)", of: line, &facts)
            }
        case .kind(let kind): guard let value, kind.holds(value) else { throw mismatch() }
        case .variable(let name):
            guard let value else { throw mismatch() }
            if let known = facts.variables[name], !Self.equal(known, value) {
                throw Mismatch(
                    path: path, expected: "\(name): \(Pattern.text(of: known))", got: Pattern.text(of: value))
            }
            facts.variables[name] = value
        case .number(let number): try number.match(value, at: path, of: line, &facts)
        case .oneOf(let patterns):
            for pattern in patterns {
                var learnt = facts
                do throws(Mismatch) {
                    try pattern.match(value, at: path, of: line, &learnt)
                    facts = learnt
                    return
                } catch { continue }
            }
            throw mismatch()
        case .not(let pattern):
            var learnt = facts
            do throws(Mismatch) {
                try pattern.match(value, at: path, of: line, &learnt)
            } catch { return }
            throw mismatch()
        }
    }

    static func equal(_ one: JSONValue, _ other: JSONValue) -> Bool {
        if let one = one.doubleValue, let other = other.doubleValue { return one == other }
        return one == other
    }
}

extension Pattern.Kind {
    func holds(_ value: JSONValue) -> Bool {
        switch self {
        case .text: value.stringValue != nil
        case .number: value.doubleValue != nil
        case .integer: value.integerValue != nil
        case .boolean: value.boolValue != nil
        case .object: if case .object = value { true } else { false }
        case .array: value.arrayValue != nil
        case .date: value.stringValue.flatMap(WireDate.init(iso8601:)) != nil
        }
    }
}

extension Pattern.Number {
    /// Room for decimals that a sum in floating point makes.
    private static let epsilon = 1e-6

    func match(
        _ value: JSONValue?, at path: String, of line: HeardLine, _ facts: inout Facts
    ) throws(Mismatch) {
        let got = value?.doubleValue
        guard let got else {
            throw Mismatch(path: path, expected: text, got: value.map(Pattern.text(of:)) ?? "nothing")
        }
        if let wanted = try wanted(got, at: path, of: line, facts) {
            let measured = isShown ? line.shown ?? .infinity : got
            let slack = isByPlaying(facts) ? facts.positionSlack : 0
            if !(abs(measured - wanted) <= within + slack + Self.epsilon) {
                throw Mismatch(
                    path: path, expected: "\(text) = \(Self.shown(wanted))",
                    got: isShown && line.shown == nil
                        ? "no pong to set its clock by" : Self.shown(measured))
            }
        }
        guard let name = anchor else { return }
        guard let found = line.anchor else {
            throw Mismatch(path: path, expected: "an anchor (currentTime, serverDate, isPlaying)", got: "none")
        }
        facts.anchors[name] = found
    }

    /// With six decimals; a host may send numbers that have no room for them.
    private static func shown(_ number: Double) -> String {
        let rounded = (number * 1e6).rounded() / 1e6
        return rounded.isFinite ? Pattern.text(of: .number(rounded)) : "\(number)"
    }

    private func isByPlaying(_ facts: Facts) -> Bool {
        if case .follows(let name) = base { facts.anchors[name]?.isPlaying ?? false } else { false }
    }

    /// The number to compare with; `nil` where any will do.
    private func wanted(
        _ got: Double, at path: String, of line: HeardLine, _ facts: Facts
    ) throws(Mismatch) -> Double? {
        switch base {
        case .any: return nil
        case .value(let value): return value + plus
        case .variable(let name):
            guard let value = facts.variables[name]?.doubleValue else {
                throw Mismatch(path: path, expected: "\(name), which is not known yet", got: "\(got)")
            }
            return value + plus
        case .follows(let name):
            guard let course = facts.anchors[name] else {
                throw Mismatch(path: path, expected: "anchor \(name), which is not known yet", got: "\(got)")
            }
            let now = isShown ? line.hostNow : line.anchor.map { Double($0.serverDate.milliseconds) / 1e3 }
            guard let now else {
                throw Mismatch(path: path, expected: "a serverDate beside it", got: "none")
            }
            let elapsed = max(0, now - Double(course.serverDate.milliseconds) / 1e3)
            let position = course.currentTime + (course.isPlaying ? elapsed : 0) + plus
            let duration = line.anchor?.duration ?? 0
            return max(0, duration > 0 ? min(position, duration) : position)
        }
    }
}
