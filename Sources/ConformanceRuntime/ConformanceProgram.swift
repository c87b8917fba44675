internal import TerminalUI

/// `allspeak-conformance`: reads the command line and runs one command.
package enum ConformanceProgram {
    /// Never returns: ends the process with the command's exit code, 1 where a check failed.
    package static func run() -> Never {
        Program.run("allspeak-conformance") { () throws(Failure) in
            let invocation = try ConformanceSyntax.program.parse(Program.arguments)
            if invocation.wantsVersion {
                Console.standard.say("allspeak-conformance \(ProgramSyntax.version)")
                return .success
            }
            if invocation.wantsHelp || Program.arguments.isEmpty {
                Console.standard.say(ConformanceSyntax.program.help(for: invocation))
                return .success
            }
            switch invocation.command {
            case HostCommand.syntax.name: return try HostCommand.run(invocation)
            case RecordCommand.syntax.name: return try RecordCommand.run(invocation)
            case RemoteCommand.syntax.name: return try RemoteCommand.run(invocation)
            default: throw ConformanceSyntax.program.usage("A command is missing", of: nil)
            }
        }
    }
}
