internal import TerminalUI

/// The conformance program's command line.
enum ConformanceSyntax {
    static let report = OptionSyntax("--report", "FILE", "write a JSON report with timings there")
    static let json = OptionSyntax("--json", nil, "print the report as JSON instead of TAP")

    static let program = ProgramSyntax(
        name: "allspeak-conformance",
        summary: "allspeak-conformance tries any Allspeak host or remote against the protocol's specification.",
        commands: [HostCommand.syntax, RecordCommand.syntax, RemoteCommand.syntax],
        commonOptions: [])
}
