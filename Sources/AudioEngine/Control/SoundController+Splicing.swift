internal import LinuxSystem
internal import Playback
internal import Synchronization
internal import WireProtocol

/// Writing to a device that runs.
///
/// Sound is written first; to tell anything, or to ask the decoding thread, takes a lock that may be another's for a while.
extension SoundController {
    /// The earliest index at which another sound may begin; `nil` while the device does not know its time, or a fade is
    /// still ahead: what came after it would queue up behind.
    private func earliestSplice() -> Int64? {
        guard let earliest = device.earliestChange(at: MonotonicClock.now()) else { return nil }
        return earliest >= programme.settled ? earliest : nil
    }

    /// When `earliestSplice` will have an answer for something that waits for it.
    private var nextSplice: Int64? {
        guard case .running = phase, !wantsPlaying || isMoving || preparation?.isReady == true else { return nil }
        return programme.settled - device.margin
    }

    /// Replaces the present sound by the prepared one.
    func spliceIn() {
        guard let prepared = preparation, let start = earliestSplice() else { return }
        let film = prepared.position ?? film(at: Double(start))
        let ring = prepared.feed.ring
        guard ring.isComplete || ring.end - film >= max(queued - start, device.margin) else {
            // It was long in coming; what has gone by meanwhile is not wanted any more.
            ring.release(before: film)
            return awaitMore(of: prepared.feed)
        }
        preparation = nil
        let overtaken = programme.takeSwitches(from: start)
        programme.splice(
            .init(
                start: start, film: film, feed: prepared.feed, epoch: prepared.epoch,
                announcement: .init(switchedTo: prepared.switching)))
        rewrite(from: start)
        activate(prepared.feed)
        overtaken.forEach(tellSwitch)
        attend()
    }

    /// Brings the present sound to an end, as soon as it can be heard.
    func fadeOut() {
        guard let start = earliestSplice() else { return }
        let end = start + Int64(Ramp.length)
        resting = film(at: Double(end))
        let overtaken = programme.takeSwitches(from: start)
        programme.splice(.init(start: start, film: resting, feed: nil, epoch: epoch))
        phase = .stopping(at: end)
        rewrite(from: start)
        overtaken.forEach(tellSwitch)
        attend()
    }

    /// The film frame at a device index; nothing that was not written is ever heard.
    func film(at index: Double) -> FilmFrame {
        programme.film(at: min(index, Double(written))).map { FilmFrame($0) } ?? resting
    }

    /// Writes everything from `index` on, over what the device holds already: silence where there is no sound yet, or
    /// the old one would be heard again.
    func rewrite(from index: Int64) {
        written = index + min(programme.available(from: index), device.depth)
        queued = max(queued, written)
        device.write(index..<queued) { programme.render(from: $0, count: $1, into: $2) }
    }

    /// Writes on where the sound that was written ends.
    func fill() {
        guard let active, case .running = phase else { return }
        let index = written
        if let end = programme.end, index >= end { return }
        if let audible = device.audibleIndex(at: MonotonicClock.now()), Double(index) < audible {
            return goOn(after: index, audible: Int64(audible))
        }
        let available = programme.available(from: index)
        let wanted = device.wanted + device.writeIndex - index
        let count = min(wanted, available)
        if count > 0 {
            written = index + count
            queued = max(queued, written)
            // A write ends the queue: silence that lies behind it goes with it.
            device.write(index..<queued) { programme.render(from: $0, count: $1, into: $2) }
        }
        if available < wanted { awaitMore(of: active) }
    }

    /// After the device has run dry: the film goes on where it stopped, as soon as there is a queue's worth of it.
    private func goOn(after index: Int64, audible: Int64) {
        guard let active, let last = programme.last else { return }
        let film = last.film(at: index)
        guard active.ring.isComplete || active.ring.end - film >= device.depth else { return awaitMore(of: active) }
        let start = device.earliestChange(at: MonotonicClock.now()) ?? audible
        let overtaken = programme.takeSwitches()
        programme.begin(with: .init(start: start, film: film, feed: active, epoch: epoch, announcement: .init()))
        rewrite(from: start)
        underruns += 1
        emit(.underrun(count: underruns))
        overtaken.forEach(tellSwitch)
    }

    private func awaitMore(of feed: Feed) {
        if feed.ring.isComplete { return }
        feed.isStarving.store(true, ordering: .relaxed)
        decoding.nudge()
    }

    /// Looks at what has been heard by now, tells it, and sets the timer for what is heard next.
    func attend() {
        let now = MonotonicClock.now()
        guard let audible = device.audibleIndex(at: now) else { return tellWaiting(now) }
        let index = Int64(audible.rounded(.down))
        let heard = programme.advance(to: index)
        for case let switching? in heard.map({ $0.announcement?.switchedTo }) { tellSwitch(switching) }
        // A sound on its way through the device is told for the instant at which its first sample is heard.
        let lead = max(0, Double(programme.beginning) - audible)
        let told = min(audible + lead, Double(written))
        let position = programme.film(at: told).map { $0 / Double(Format.rate) } ?? 0
        if let active, active.ring.room >= FrameRing.capacity / 2, !active.ring.isComplete { decoding.nudge() }
        switch phase {
        case .stopping(let end) where index >= end:
            phase = .halting
            return device.stop()
        case .running:
            resting = film(at: audible + lead)
            if reachedEnd(index) { return }
            let isDry = index >= written && programme.end.map { $0 > written } ?? true
            if programme.isSilent {
                tellWaiting(now)
            } else {
                tell(
                    epoch: programme.stretch(at: Int64(told))?.epoch ?? epoch, position: position,
                    at: now + lead / Double(Format.rate), isRunning: !isDry && !device.isHalted,
                    isNews: !heard.isEmpty)
            }
        default: break
        }
        // The end of what was written is heard only when nothing asks for more: a server that hangs.
        let next = [programme.nextAnnouncement, programme.end, stoppingEnd, nextSplice, written].compactMap(\.self)
            .filter { $0 > index }.min()
        boundaryTimer?.set(device.isHalted ? nil : next.map { now + (Double($0) - audible) / Double(Format.rate) })
    }

    /// The device was started and has not begun: the position stands until it does.
    private func tellWaiting(_ now: SteadyTime) {
        guard case .running = phase, now - startedAt > usualStart else { return }
        tell(epoch: epoch, position: restingSeconds, at: now, isRunning: false)
    }

    var stoppingEnd: Int64? {
        if case .stopping(let end) = phase { return end }
        return nil
    }

    /// Stops after the track's last sample, unless something else is about to sound.
    private func reachedEnd(_ index: Int64) -> Bool {
        guard preparation == nil, let end = programme.end, index >= end, let ring = active?.ring else { return false }
        resting = ring.end
        wantsPlaying = false
        phase = .halting
        emit(.ended(epoch: programme.last?.epoch ?? epoch))
        device.stop()
        return true
    }
}
