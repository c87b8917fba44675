internal import RemoteCore
package import WireProtocol

/// When the picture is another by itself; nothing is drawn in between.
extension RemoteScreen {
    /// When `canvas` is another or `tick` is wanted next; `nil` while nothing moves.
    package func nextDeadline(after now: SteadyTime) -> SteadyTime? {
        var all: [SteadyTime?] = [
            notice.map(\.until), finding.nextDeadline(after: now), browsing.nextDeadline(after: now), lostDeadline(now),
            greetedUntil,
        ]
        if scene == .pages {
            all.append(filmDeadline(now))
            if options.isDim { all.append(lastTouch + Self.secondsAwake) }
        }
        return all.compactMap(\.self).filter { $0 > now }.min()
    }

    /// When "lost 12 s ago" is no longer true.
    private func lostDeadline(_ now: SteadyTime) -> SteadyTime? {
        guard case .reconnecting(let since)? = view?.status else { return nil }
        let seconds = max(0, Int(now - since))
        return since + Double(seconds < 60 ? seconds + 1 : (seconds / 60 + 1) * 60)
    }

    /// When time, bar or line of a running film move on.
    private func filmDeadline(_ now: SteadyTime) -> SteadyTime? {
        guard let view, isMoving, let position = position(at: now) else { return nil }
        let isAwake = isAwake(at: now)
        let unit = isAwake ? 1.0 : 60.0
        var positions = [(((position + Self.tick) / unit).rounded(.down) + 1) * unit]
        if case .none = overlay {
            if page == .transport, isAwake, let (bar, _) = bar(now) { positions.append(bar.next(after: position)) }
            if page == .cues || (page == .transport && isAwake), pending.unlinkedSkip == 0,
                let change = view.nextCueChange(after: now)
            {
                positions.append(position + (change - now))
            }
        }
        let ahead = positions.filter { duration == 0 || $0 <= duration }
        // The sound of an anchor still to come has not begun.
        let wait = view.confirmed.flatMap { view.clock.seconds(since: $0.serverDate, at: now) }.map { max(0, -$0) } ?? 0
        return ahead.min().map { now + (wait + $0 - position) }
    }
}
