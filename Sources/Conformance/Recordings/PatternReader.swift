internal import WireProtocol

/// A fault in a recording's line, in words; the reader adds where.
struct Fault: Error, Equatable {
    var reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}

extension Pattern {
    /// Reads a pattern: JSON in which an object with a key that begins with `$` is a matcher.
    ///
    /// - Throws: `Fault` with what is wrong.
    init(_ value: JSONValue) throws(Fault) {
        switch value {
        case .object(let members):
            if members.contains(where: { $0.key.hasPrefix("$") }) {
                try self.init(matcher: members)
                return
            }
            var patterns: [Member] = []
            for member in members { patterns.append(Member(member.key, try Pattern(member.value))) }
            self = .object(patterns)
        case .array(let elements):
            self = .array(try Self.patterns(elements))
        case .null: self = .absent
        default: self = .literal(value)
        }
    }

    private static func patterns(_ elements: [JSONValue]) throws(Fault) -> [Pattern] {
        var patterns: [Pattern] = []
        for element in elements { patterns.append(try Pattern(element)) }
        return patterns
    }

    private init(matcher members: [JSONValue.Member]) throws(Fault) {
        let matchers = members.filter { $0.key.hasPrefix("$") }
        let options = members.filter { !$0.key.hasPrefix("$") }
        guard matchers.count == 1, let matcher = matchers.first else {
            throw Fault("\(matchers.map(\.key).joined(separator: " and ")) stand in one object; a matcher stands alone")
        }
        if let base = try Self.numberBase(matcher) {
            self = .number(try Self.number(base, isShown: matcher.key == "$shown", options))
            return
        }
        guard options.isEmpty else { throw Fault("\(matcher.key) takes no \(options[0].key)") }
        switch (matcher.key, matcher.value) {
        case ("$any", .bool(true)): self = .any
        case ("$absent", .bool(true)): self = .absent
        case ("$var", .string(let name)): self = .variable(name)
        case ("$is", .string(let name)):
            guard let kind = Kind(rawValue: name) else {
                throw Fault("$is takes one of \(Kind.allCases.map(\.rawValue).joined(separator: ", ")), not \(name)")
            }
            self = .kind(kind)
        case ("$oneOf", .array(let elements)): self = .oneOf(try Self.patterns(elements))
        case ("$not", let value): self = .not(try Pattern(value))
        case ("$any", _), ("$absent", _): throw Fault("\(matcher.key) takes true")
        case ("$var", _), ("$is", _): throw Fault("\(matcher.key) takes a text")
        case ("$oneOf", _): throw Fault("$oneOf takes an array")
        default: throw Fault("there is no matcher \(SafeText.line(matcher.key, maximumCharacters: 40))")
        }
    }

    private static func numberBase(_ matcher: JSONValue.Member) throws(Fault) -> Number.Base? {
        switch (matcher.key, matcher.value) {
        case ("$number", .bool(true)): return .any
        case ("$number", let value):
            if let number = value.doubleValue { return .value(number) }
            guard case .string(let name)? = value["$var"] else {
                throw Fault("$number takes a number, true, or {\"$var\": name}")
            }
            return .variable(name)
        case ("$follows", .string(let name)), ("$shown", .string(let name)): return .follows(name)
        case ("$follows", _), ("$shown", _): throw Fault("\(matcher.key) takes the name of an anchor")
        default: return nil
        }
    }

    private static func number(
        _ base: Number.Base, isShown: Bool, _ options: [JSONValue.Member]
    ) throws(Fault) -> Number {
        var number = Number(base)
        number.isShown = isShown
        for option in options {
            switch (option.key, option.value.doubleValue, option.value.stringValue) {
            case ("plus", let value?, _): number.plus = value
            case ("within", let value?, _) where value >= 0: number.within = value
            case ("anchor", _, let name?): number.anchor = name
            default: throw Fault("a number takes plus, within and anchor, not \(option.key)")
            }
        }
        return number
    }
}
