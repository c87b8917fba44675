internal import LinuxSystem
internal import TerminalUI
internal import Transport
internal import WireProtocol

/// `allspeak-host doctor`: what is missing here, and the command that fixes it.
enum DoctorCommand {
    static func run(_ options: DoctorOptions) throws(Failure) -> ExitCode {
        if let sound = options.sound { return try SoundCheck.run(sound, isJSON: options.isJSON) }
        return try look(options, Console.standard)
    }

    private static func look(_ options: DoctorOptions, _ console: Console) throws(Failure) -> ExitCode {
        let examination: Examination
        do throws(SystemError) {
            examination = try Examination()
        } catch {
            throw Failure(.bug, "The event loop cannot start: \(error.sentence)")
        }
        let checks = Diagnosis.checks(examination.findings(folder: options.data))
        if options.isJSON {
            console.say(
                json: .object([
                    .init("problems", .integer(checks.count(.problem))),
                    .init("warnings", .integer(checks.count(.warning))),
                    .init("checks", .array(checks.map(\.json))),
                ]))
        } else {
            for check in checks { console.say(check.line) }
            console.say(checks.summary)
        }
        return checks.exitCode
    }
}
