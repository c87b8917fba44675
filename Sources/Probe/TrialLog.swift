package import WireProtocol

/// What was asked of the engine, and what it told.
package struct TrialLog: Equatable, Sendable {
    /// What a user does.
    package enum Act: Equatable, Sendable {
        case play
        /// To a position in seconds.
        case seek(Double)
        /// To the other track.
        case switchTrack
        case pause
        case resume
    }

    /// One act and its answer.
    package struct Step: Equatable, Sendable {
        package var act: Act
        /// The track that sounds when it is done.
        package var track: Int
        package var asked: SteadyTime
        /// The position told in answer, in seconds, and when that is heard; a pause is answered when it is told.
        package var position: Double
        package var answered: SteadyTime
        /// When the next act was asked for, or the trial ended.
        package var ended: SteadyTime

        package init(
            act: Act, track: Int, asked: SteadyTime, position: Double, answered: SteadyTime, ended: SteadyTime
        ) {
            self.act = act
            self.track = track
            self.asked = asked
            self.position = position
            self.answered = answered
            self.ended = ended
        }
    }

    /// From `at` on `position` moves, or stands; known since `told`.
    package struct Anchor: Equatable, Sendable {
        package var position: Double
        package var at: SteadyTime
        package var isRunning: Bool
        package var told: SteadyTime

        package init(position: Double, at: SteadyTime, isRunning: Bool, told: SteadyTime) {
            self.position = position
            self.at = at
            self.isRunning = isRunning
            self.told = told
        }
    }

    package var steps: [Step] = []
    package var anchors: [Anchor] = []
    package var underruns = 0
    /// Seconds from handing over a sample to hearing it, as the sound server tells.
    package var latency: Double?

    package init() {}

    /// The position, in seconds, that was reported for `time` by then; `nil` where none was, or the sound was on its way.
    package func reported(at time: SteadyTime) -> Double? {
        guard let anchor = anchors.last(where: { $0.told <= time }), anchor.at <= time else { return nil }
        return anchor.isRunning ? anchor.position + (time - anchor.at) : anchor.position
    }
}
