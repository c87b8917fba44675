internal import Probe
internal import TerminalUI

/// `allspeak-host doctor` as it was asked for.
struct DoctorOptions: Equatable {
    var data: String
    var isJSON: Bool
    /// The measurement; `nil` where only what is here is to be looked at.
    var sound: Sound?

    struct Sound: Equatable {
        /// The sink's name; `nil` is the default one.
        var sink: String?
        /// Rounds of seek, switch, pause and going on.
        var rounds = SoundTrial.rounds(within: Double(usualSeconds))
        /// Also where a film is playing.
        var isForced = false
    }

    static let usualSeconds = 15
    /// Seconds that can be asked for.
    private static let seconds = 5...120

    /// - Throws: `Failure` with code `usage`.
    init(_ invocation: Invocation) throws(Failure) {
        data = try DataFolder.path(invocation)
        isJSON = invocation.switches.contains("--json")
        guard invocation.operands.isEmpty else { throw Self.usage("doctor takes no \(invocation.operands[0])") }
        let isForced = invocation.switches.contains("--force")
        let (sink, length) = (invocation.value("--sink"), invocation.value("--seconds"))
        guard invocation.switches.contains("--sound") else {
            if isForced || sink != nil || length != nil {
                throw Self.usage("--sink, --seconds and --force go with --sound")
            }
            return
        }
        var sound = Sound(sink: sink, isForced: isForced)
        if sink?.isEmpty == true { throw Self.usage("--sink takes a name, such as pactl list short sinks shows") }
        if let length {
            guard let number = Int(length), Self.seconds.contains(number) else {
                throw Self.usage(
                    "--seconds takes a number from \(Self.seconds.lowerBound) to \(Self.seconds.upperBound)")
            }
            sound.rounds = SoundTrial.rounds(within: Double(number))
        }
        self.sound = sound
    }

    private static func usage(_ problem: String) -> Failure {
        HostSyntax.program.usage(problem, of: HostSyntax.doctor)
    }
}
