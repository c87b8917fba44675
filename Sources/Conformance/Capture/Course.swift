internal import RemoteCore
internal import WireProtocol

/// Where the film is, as told so far; puts positions in terms of it.
struct Course: Sendable {
    /// Seconds by which a host's measured position may depart from the computed one.
    static let tolerance = 0.05
    /// The same for a machine that was too busy to begin the sound in time.
    static let looseTolerance = 0.4

    private var name = ""
    private var anchor: Anchor?
    private var count = 0

    /// The pattern of the position in `line`.
    ///
    /// `plus` is what a skip that it answers asked for, `target` where a seek was to go. Where `mayLead`, it may begin a
    /// new course.
    mutating func pattern(of line: HeardLine, plus: Double?, target: Double?, mayLead: Bool) -> Pattern {
        guard let found = line.anchor else { return .kind(.number) }
        if let plus, let before = position(at: found), let room = room(before + plus, found) {
            let from = name
            return .number(.init(.follows(from), plus: plus, within: room, anchor: lead(found)))
        }
        if let target, let room = room(target, found) {
            // The end of the film is another one in another film.
            let isEnd = target > found.duration && found.duration > 0
            let base: Pattern.Number.Base = isEnd ? .variable("duration") : .value(max(0, target))
            return .number(.init(base, within: room, anchor: lead(found)))
        }
        if let before = position(at: found), let room = room(before, found) {
            let from = name
            let isNew = anchor?.isPlaying != found.isPlaying || room > Self.tolerance
            guard isNew else { return .number(.init(.follows(from), within: room)) }
            guard mayLead else { return .kind(.number) }
            return .number(.init(.follows(from), within: room, anchor: lead(found)))
        }
        guard mayLead else { return .kind(.number) }
        if found.isPlaying { return .number(.init(.any, anchor: lead(found))) }
        let rounded = (found.currentTime * 1e3).rounded() / 1e3
        return .number(.init(.value(rounded), within: Self.tolerance, anchor: lead(found)))
    }

    private mutating func lead(_ found: Anchor) -> String {
        count += 1
        name = "a\(count)"
        anchor = found
        return name
    }

    private func position(at found: Anchor) -> Double? {
        guard let anchor else { return nil }
        let elapsed = Double(found.serverDate.milliseconds - anchor.serverDate.milliseconds) / 1e3
        return anchor.currentTime + (anchor.isPlaying ? max(0, elapsed) : 0)
    }

    /// Seconds to allow where the film may be meant to be at `wanted`; `nil` where it is elsewhere.
    private func room(_ wanted: Double, _ found: Anchor) -> Double? {
        let clamped = max(0, found.duration > 0 ? min(wanted, found.duration) : wanted)
        let departure = abs(clamped - found.currentTime)
        if departure <= Self.tolerance { return Self.tolerance }
        return anchor?.isPlaying == true && departure <= Self.looseTolerance ? Self.looseTolerance : nil
    }
}
