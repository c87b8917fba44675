internal import RemoteCore
internal import WireProtocol

extension RecordingReplay {
    /// Takes a line of the host; gives actions where that ends the replay.
    mutating func heard(_ bytes: [UInt8], on name: String, _ now: SteadyTime) -> [ReplayAction]? {
        let text = String(decoding: bytes, as: UTF8.self)
        guard let frame = try? JSONReader.value(of: bytes), let kind = frame["kind"]?.stringValue else {
            return fail("\(name) hears one JSON object with a kind", text, "§3")
        }
        order += 1
        remotes[name]?.serial += 1
        let asked = remotes[name]?.question(of: frame)
        remotes[name]?.learnClock(from: frame, sentAt: asked, now: now)
        if let violation = remotes[name]?.rules.violation(of: bytes, frame, now: now) {
            return fail("\(name) hears \(violation.expected)", "\(violation.got) in \(text)", violation.section)
        }
        guard let line = remotes[name]?.look(at: frame, hostNow: hostNow(now), now: now) else { return nil }
        if let asked { times.add(now - asked) }
        if let failed = banned(line, name, text, now) { return failed }
        if frame["re"] == .string(Self.lastID) {
            let actions = remotes[name].map { lastWords(on: $0.link) } ?? []
            return actions.isEmpty ? nil : actions
        }
        // A reply to a question without id looks like a push.
        if frame["re"] == nil, Self.pushKinds.contains(kind) {
            let serial = remotes[name]?.serial ?? 0
            remotes[name]?.pushes.append(.init(kind: kind, line: line, serial: serial, at: now, order: order))
        } else if frame["re"] != nil || Self.answerKinds.contains(kind) {
            if let failed = settleReply(line, kind, name, text, now) { return failed }
        }
        settleAllPushes()
        return nil
    }

    /// What is no push, also without `re`; other kinds are of a later version and passed over.
    private static let answerKinds: Set<String> = ["hello", "pong", "error", "goodbye", "schema"]

    /// By the clock of whatever remote has asked the host for its own.
    private func hostNow(_ now: SteadyTime) -> Double? {
        let measured = remotes.values.filter { $0.offset.isMeasured }
        let best = measured.min {
            ($0.offset.errorBound ?? 0, abs($0.clock)) < ($1.offset.errorBound ?? 0, abs($1.clock))
        }
        return best.flatMap { $0.offset.hostDate(at: now + $0.clock) }
    }

    private mutating func banned(
        _ line: HeardLine, _ name: String, _ text: String, _ now: SteadyTime
    ) -> [ReplayAction]? {
        for ban in bans where lines[ban.line].remote == name && now >= ban.from && now < ban.until {
            guard case .never(let pattern, let seconds) = lines[ban.line].step else { continue }
            var unused = facts
            guard (try? pattern.match(line, learning: &unused)) != nil else { continue }
            let place = lines[ban.line]
            return fail(
                "line \(place.number): \(name) hears no \(pattern.text) for \(seconds) s", text,
                place.section ?? recording.section)
        }
        return nil
    }

    // MARK: Replies

    /// Finds the expected line that `line` is about, and compares.
    private mutating func settleReply(
        _ line: HeardLine, _ kind: String, _ name: String, _ text: String, _ now: SteadyTime
    ) -> [ReplayAction]? {
        guard let remote = remotes[name] else { return nil }
        guard let place = remote.ordered.first(where: { isAbout(lines[$0].pattern, line.frame, kind) }) else {
            let due = remote.ordered.first { isStrict($0) }
            let section = due.map { lines[$0].section ?? recording.section } ?? "§4"
            return fail(due.map { described(lines[$0]) } ?? "\(name) hears nothing but pushes here", text, section)
        }
        let section = lines[place].section ?? recording.section
        if isStrict(place), let earlier = remote.ordered.first(where: { $0 < place && isStrict($0) }) {
            return fail("replies in order: \(described(lines[earlier]))", text, "§4")
        }
        do throws(Mismatch) {
            try lines[place].pattern?.match(line, learning: &facts)
        } catch {
            if error.path == "kind" { return fail(described(lines[place]), text, section) }
            return fail(
                "line \(lines[place].number): \(name) hears \(error.path): \(error.expected)",
                "\(error.got) in \(text)", section)
        }
        settle(place, .heard(at: now, order: order, serial: remote.serial))
        if kind == "snapshot" { remotes[name]?.replies.append((place, remote.serial)) }
        guard !isRepeated(place) else { return nil }
        remotes[name]?.ordered.removeAll { $0 == place }
        return nil
    }

    private func isRepeated(_ place: Int) -> Bool {
        if case .hear(_, let hearing) = lines[place].step { hearing.isRepeated } else { false }
    }

    /// Whether the line has still to come, and in its place.
    private func isStrict(_ place: Int) -> Bool {
        if isRepeated(place), expectations[place]?.isSettled == true { return false }
        guard case .hear(_, let hearing) = lines[place].step else { return false }
        return !hearing.isOptional && !hearing.isUnordered
    }

    private func isAbout(_ pattern: Pattern?, _ frame: JSONValue, _ kind: String) -> Bool {
        guard let pattern else { return false }
        if let re = pattern.re { return frame["re"].map { Pattern.equal($0, re) } ?? false }
        return frame["re"] == nil && pattern.frameKind == kind
    }

    // MARK: Pushes

    /// Settles what is expected of pushes as far as they have come.
    ///
    /// One may name the anchor that another remote's waits for.
    mutating func settleAllPushes() {
        var before: Set<String>
        repeat {
            before = Set(facts.anchors.keys)
            for name in remotes.keys.sorted() { settlePushes(of: name) }
        } while before != Set(facts.anchors.keys)
    }

    private mutating func settlePushes(of name: String) {
        let kinds = open.filter { lines[$0].remote == name }.compactMap { lines[$0].pattern }.filter(Self.isPush)
            .compactMap(\.frameKind)
        for kind in Set(kinds).sorted() { settle(kind, of: name) }
    }

    private mutating func settle(_ kind: String, of name: String) {
        var passedOver: [Int] = []
        for place in awaited(kind, name) {
            guard let remote = remotes[name], case .hear(let pattern, _) = lines[place].step,
                case .awaited(_, let floor)? = expectations[place], let replied = repliedBefore(place, remote)
            else { return }
            let from = max(floor, replied, remote.matched[kind] ?? 0)
            var found: RemoteEnd.Push?
            for push in remote.pushes where push.kind == kind && push.serial > from {
                do throws(Mismatch) {
                    try pattern.match(push.line, learning: &facts)
                    found = push
                    break
                } catch {
                    nearMisses[place] = "\(error.path): \(error.got) in \(Pattern.text(of: push.line.frame))"
                }
            }
            guard let found else {
                passedOver.append(place)
                if Self.latestWins.contains(kind) { continue }
                return
            }
            settle(place, .heard(at: found.at, order: found.order, serial: found.serial))
            remotes[name]?.matched[kind] = found.serial
            for older in passedOver { settle(older, .overtaken) }
            passedOver = []
        }
    }

    private func awaited(_ kind: String, _ name: String) -> [Int] {
        open.filter { place in
            guard lines[place].remote == name, case .hear(let pattern, _) = lines[place].step else { return false }
            return Self.isPush(pattern) && pattern.frameKind == kind
        }
    }

    /// How many lines had come with the last reply above `place`; `nil` while one of them is still to come.
    ///
    /// A reply leaves before the pushes that its command causes.
    private func repliedBefore(_ place: Int, _ remote: RemoteEnd) -> Int? {
        let isOpen = remote.ordered.contains { other in
            guard other < place, case .hear(let pattern, let hearing) = lines[other].step else { return false }
            return !hearing.isOptional && !hearing.isUnordered && pattern.frameKind == "snapshot"
                && expectations[other]?.isSettled != true
        }
        if isOpen { return nil }
        return remote.replies.filter { $0.place < place }.map(\.serial).max() ?? 0
    }

    // MARK: End of a connection

    /// Takes the host's end of a connection; gives actions where that ends the replay.
    mutating func ended(_ name: String, _ now: SteadyTime) -> [ReplayAction]? {
        guard let remote = remotes[name] else { return nil }
        let missing = remote.ordered.first { place in
            guard case .hear(_, let hearing) = lines[place].step else { return false }
            return !hearing.isOptional && expectations[place]?.isSettled != true
                && (remote.ending.map { place < $0 } ?? true)
        }
        if let missing {
            let line = lines[missing]
            return fail(described(line), "the end of the connection", line.section ?? recording.section)
        }
        guard let ending = remote.ending else {
            return fail("\(name) stays connected", "the host ended the connection", "§4")
        }
        remotes[name]?.state = .ended
        settle(ending, .heard(at: now, order: order, serial: remote.serial))
        return nil
    }
}

extension Recording.Line {
    /// What it expects to hear.
    var pattern: Pattern? {
        if case .hear(let pattern, _) = step { pattern } else { nil }
    }
}
