internal import TerminalUI

/// `allspeak-host`: reads the command line and runs one command.
package enum HostProgram {
    /// Never returns: ends the process with the command's exit code.
    package static func run() -> Never {
        Program.run("allspeak-host") { () throws(Failure) in
            // Also of a command line that cannot be understood.
            let isJSON = Program.arguments.prefix { $0 != "--" }.contains(HostSyntax.json.name)
            return try Failures.told(isJSON, command)
        }
    }

    private static func command() throws(Failure) -> ExitCode {
        let invocation = try HostSyntax.program.parse(Program.arguments)
        if invocation.wantsVersion {
            Console.standard.say("allspeak-host \(ProgramSyntax.version)")
            return .success
        }
        if invocation.wantsHelp || invocation.command == nil && Program.arguments.isEmpty {
            Console.standard.say(HostSyntax.program.help(for: invocation))
            return .success
        }
        switch invocation.command {
        case "play": return try PlayCommand.run(PlayOptions(invocation))
        case "cues": return try CuesCommand.run(invocation)
        case "doctor": return try DoctorCommand.run(DoctorOptions(invocation))
        case "sessions": return try SessionsCommand.run(invocation)
        default: throw HostSyntax.program.usage("A command is missing", of: nil)
        }
    }
}
