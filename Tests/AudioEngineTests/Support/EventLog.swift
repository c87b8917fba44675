import AudioEngine
import Foundation
import LinuxSystem
import Playback
import TestKit
import WireProtocol

/// What an engine has told, for a test to wait on.
final class EventLog: Sendable {
    private let events = Guarded<[(event: EngineEvent, at: SteadyTime)]>([])

    func note(_ event: EngineEvent) {
        events.withLock { $0.append((event, MonotonicClock.now())) }
    }

    var all: [EngineEvent] { events.withLock { $0.map(\.event) } }
    /// How many events there are; a mark to wait behind.
    var count: Int { events.withLock { $0.count } }

    /// The first event after `mark` that `pick` accepts, waiting for it up to `seconds`.
    func first<Result>(
        after mark: Int = 0, within seconds: Double = 3, _ pick: (EngineEvent) -> Result?
    ) -> Result? {
        let end = MonotonicClock.now() + seconds * Sanitizer.patience
        while true {
            for event in all.dropFirst(mark) {
                if let found = pick(event) { return found }
            }
            if MonotonicClock.now() > end { return nil }
            usleep(500)
        }
    }

    /// Waits until what the newest anchor tells is heard: one may lie ahead by what the device holds.
    func waitUntilHeard() {
        while true {
            let at = all.reversed().lazy.compactMap { event -> SteadyTime? in
                if case .anchor(_, _, let at, true) = event { at } else { nil }
            }.first
            guard let at, at > MonotonicClock.now(), at < MonotonicClock.now() + 5 else { return }
            usleep(5_000)
        }
    }

    /// The position that the newest anchor gives for `time`.
    func position(at time: SteadyTime) -> Double? {
        events.withLock { events in
            for case (.anchor(_, let position, let at, let isRunning), _) in events.reversed() {
                return isRunning ? position + (time - at) : position
            }
            return nil
        }
    }

    func anchor(
        after mark: Int = 0, epoch: Epoch, isRunning: Bool = true, within seconds: Double = 3
    ) -> (position: Double, at: SteadyTime)? {
        first(after: mark, within: seconds) { event in
            guard case .anchor(epoch, let position, let at, isRunning) = event else { return nil }
            return (position, at)
        }
    }

    func paused(after mark: Int = 0, epoch: Epoch, within seconds: Double = 3) -> Double? {
        first(after: mark, within: seconds) { event in
            guard case .paused(epoch, let position) = event else { return nil }
            return position
        }
    }

    func contains(after mark: Int = 0, within seconds: Double = 3, _ event: EngineEvent) -> Bool {
        first(after: mark, within: seconds) { $0 == event ? true : nil } ?? false
    }
}
