/// A recorded command stream: what remotes said, what a host has to say to that, and what happened around it.
package struct Recording: Equatable, Sendable {
    /// What the host's film must be like, each a minimum.
    package struct Film: Equatable, Sendable {
        package var seconds = 0.0
        package var tracks = 1
        package var cues = 0
        package var chunks = 1
        /// Whether the output has a volume, where that matters.
        package var hasVolume: Bool?
        /// Label of a track that is needed.
        package var trackLabels: [String] = []

        package init() {}
    }

    /// Where the host stands when the recording begins.
    package struct Start: Equatable, Sendable {
        package enum Position: Equatable, Sendable {
            case seconds(Double)
            /// The end of the track.
            case end
        }

        package var hasSession = true
        package var position = Position.seconds(0)
        package var isPlaying = false
        /// Place of the track, from 0.
        package var track = 0

        package init() {}
    }

    package enum Step: Equatable, Sendable {
        /// `clock`: seconds by which this remote's clock is ahead of the runner's.
        case connect(clock: Double)
        case disconnect
        /// The remote takes no more bytes, or takes them again.
        case stopReading
        case startReading
        case send(Utterance)
        case hear(Pattern, Hearing)
        /// Nothing like this comes for `seconds`.
        case never(Pattern, seconds: Double)
        /// The host ends the connection.
        case ended(within: Double?)
        /// Something that no remote can cause, as words.
        case stage([String])
        /// For as long as `seconds` nothing is done.
        case rest
    }

    /// How a line of the host is expected.
    package struct Hearing: Equatable, Sendable {
        /// It may also not come.
        package var isOptional = false
        /// It may come any number of times in a row.
        package var isRepeated = false
        /// A reply that may overtake and be overtaken by others.
        package var isUnordered = false
        /// It does not come before the line above it in the file has been heard, on whatever connection.
        package var isAfterPrevious = false
        /// Seconds it may take; `nil` for the runner's patience.
        package var within: Double?

        package init() {}
    }

    package struct Line: Equatable, Sendable {
        /// Place in its file, from 1.
        package var number: Int
        /// Seconds from the start of the recording.
        package var at: Double
        /// The remote it is about; empty for a stage event.
        package var remote: String
        package var step: Step
        /// Where the specification says so, if not where the header says.
        package var section: String?

        package init(number: Int, at: Double, remote: String, step: Step, section: String? = nil) {
            self.number = number
            self.at = at
            self.remote = remote
            self.step = step
            self.section = section
        }
    }

    package var name: String
    package var about: String
    /// Of `Protocol/README.md`, such as `§6`.
    package var section: String
    package var film: Film
    package var start: Start
    /// It waits for limits that take tens of seconds.
    package var isLong = false
    package var lines: [Line]

    package init(
        name: String, about: String, section: String, film: Film = Film(), start: Start = Start(), lines: [Line]
    ) {
        self.name = name
        self.about = about
        self.section = section
        self.film = film
        self.start = start
        self.lines = lines
    }
}

/// Why a file is no recording.
package struct RecordingError: Error, Equatable, Sendable {
    /// Line of the file, from 1.
    package var line: Int
    package var reason: String

    package init(line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }
}
