/// One `--option` of a command.
package struct OptionSyntax: Sendable {
    package let name: String
    /// What stands for the value in the help; `nil` for a switch.
    package let value: String?
    package let help: String

    package init(_ name: String, _ value: String? = nil, _ help: String) {
        self.name = name
        self.value = value
        self.help = help
    }
}

/// One command a person types.
package struct CommandSyntax: Sendable {
    package let name: String
    /// As the help shows them, such as `[SESSION]`; empty when there are none.
    package let operands: String
    package let summary: String
    package let options: [OptionSyntax]
    /// Where there are some, the word after the command is one of them, and options are theirs.
    package let subcommands: [CommandSyntax]
    /// What its help ends with.
    package let notes: String

    package init(
        _ name: String, operands: String = "", summary: String, options: [OptionSyntax] = [],
        subcommands: [CommandSyntax] = [], notes: String = ""
    ) {
        self.name = name
        self.operands = operands
        self.summary = summary
        self.options = options
        self.subcommands = subcommands
        self.notes = notes
    }
}

/// What a person typed, taken apart.
package struct Invocation: Equatable, Sendable {
    /// `nil` when there is no command.
    package var command: String?
    /// `nil` for a command that has none, and where it is missing.
    package var subcommand: String?
    package var operands: [String] = []
    package var values: [String: [String]] = [:]
    package var switches: Set<String> = []
    package var wantsHelp = false
    package var wantsVersion = false

    /// The option's value; the last one counts where it is given twice.
    package func value(_ option: String) -> String? {
        values[option]?.last
    }
}

/// A program's commands and the options that stand before or after any of them.
package struct ProgramSyntax: Sendable {
    package let name: String
    package let summary: String
    package let commands: [CommandSyntax]
    package let commonOptions: [OptionSyntax]
    /// Those of the program without a command.
    package let ownOptions: [OptionSyntax]
    /// What the help ends with.
    package let notes: String

    package init(
        name: String, summary: String, commands: [CommandSyntax], commonOptions: [OptionSyntax],
        ownOptions: [OptionSyntax] = [], notes: String = ""
    ) {
        self.name = name
        self.summary = summary
        self.commands = commands
        self.commonOptions = commonOptions
        self.ownOptions = ownOptions
        self.notes = notes
    }

    private static let helpOption = OptionSyntax("--help", nil, "show this")
    /// Of both programs.
    package static let version = "0.1"

    /// Takes the command line apart; `--option VALUE` and `--option=VALUE` are the same, `--` ends the options.
    ///
    /// - Throws: `Failure` with code `usage`.
    package func parse(_ arguments: [String]) throws(Failure) -> Invocation {
        var invocation = Invocation()
        var rest = arguments[...]
        var optionsEnded = false
        while let argument = rest.popFirst() {
            if !optionsEnded, argument == "--" {
                optionsEnded = true
            } else if !optionsEnded, argument == "--help" || argument == "-h" {
                invocation.wantsHelp = true
            } else if argument == "help", invocation.command == nil {
                invocation.wantsHelp = true
            } else if !optionsEnded, argument == "--version" {
                invocation.wantsVersion = true
            } else if !optionsEnded, argument.hasPrefix("-"), argument != "-", !Self.isNegativeNumber(argument) {
                try takeOption(argument, &rest, &invocation)
            } else if invocation.command == nil {
                guard commands.contains(where: { $0.name == argument }) else {
                    throw usage(
                        "There is no command \(argument)" + Self.suggestion(for: argument, in: commands), of: nil)
                }
                invocation.command = argument
            } else if invocation.subcommand == nil, let command = syntax(of: invocation),
                !command.subcommands.isEmpty
            {
                guard command.subcommands.contains(where: { $0.name == argument }) else {
                    let problem = "There is no command \(command.name) \(argument)"
                    throw usage(problem + Self.suggestion(for: argument, in: command.subcommands), of: command)
                }
                invocation.subcommand = argument
            } else {
                invocation.operands.append(argument)
            }
        }
        if let command = invocation.command,
            let option = ownOptions.first(where: { invocation.switches.contains($0.name) })
        {
            throw usage("\(option.name) is for \(name) without \(command)", of: nil)
        }
        return invocation
    }

    /// `-1` and `-0.5` are skips, not options.
    private static func isNegativeNumber(_ argument: String) -> Bool {
        guard let second = argument.dropFirst().first else { return false }
        return second.isNumber || second == "."
    }

    private func takeOption(
        _ argument: String, _ rest: inout ArraySlice<String>, _ invocation: inout Invocation
    ) throws(Failure) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let command = syntax(of: invocation)
        // Before the command is known, any command's option is accepted and checked by the command itself.
        let candidates =
            commonOptions + ownOptions + (command.map { Self.allOptions($0) } ?? commands.flatMap(Self.allOptions))
        guard let option = candidates.first(where: { $0.name == parts[0] }) else {
            throw usage("There is no option \(parts[0])", of: command)
        }
        guard option.value != nil else {
            guard parts.count == 1 else { throw usage("\(option.name) takes no value", of: command) }
            invocation.switches.insert(option.name)
            return
        }
        guard let value = parts.count == 2 ? parts[1] : rest.popFirst() else {
            throw usage("\(option.name) needs a value (\(option.value ?? ""))", of: command)
        }
        invocation.values[option.name, default: []].append(value)
    }

    /// ` (do you mean play?)` where one command is a slip of the finger away.
    private static func suggestion(for word: String, in commands: [CommandSyntax]) -> String {
        let distances = commands.map { (name: $0.name, distance: EditDistance.between($0.name, word.lowercased())) }
        guard let nearest = distances.min(by: { $0.distance < $1.distance }), nearest.distance <= 2,
            nearest.distance < nearest.name.count - 1
        else { return "" }
        return " (do you mean \(nearest.name)?)"
    }

    /// A usage failure that names the help to read.
    package func usage(_ problem: String, of command: CommandSyntax?) -> Failure {
        let words = command.map(path) ?? []
        let help = ([name] + words + ["--help"]).joined(separator: " ")
        return Failure(.usage, "\(problem). See: \(help)")
    }

    /// The help of the program, or of the command that was named.
    package func help(for invocation: Invocation) -> String {
        if let command = syntax(of: invocation) {
            let usage = ([name] + path(command) + [command.operands]).filter { !$0.isEmpty }.joined(separator: " ")
            let options = Self.table((command.options + commonOptions + [Self.helpOption]).map(Self.row))
            let sections = [
                "\(usage)\n  \(command.summary)", Self.list(command.subcommands), options,
                command.subcommands.isEmpty ? "" : "\(name) \(command.name) COMMAND --help tells a command's options.",
                command.notes,
            ]
            return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
        }
        let sections = [
            summary, "Commands:\n" + Self.list(commands),
            ownOptions.isEmpty ? "" : "Options without a command:\n" + Self.table(ownOptions.map(Self.row)),
            "Options of every command:\n" + Self.table((commonOptions + [Self.helpOption]).map(Self.row)),
            "\(name) COMMAND --help tells a command's options.", notes,
        ]
        return sections.filter { !$0.isEmpty }.joined(separator: "\n\n")
    }

    private static func list(_ commands: [CommandSyntax]) -> String {
        table(commands.map { ([$0.name, $0.operands].filter { !$0.isEmpty }.joined(separator: " "), $0.summary) })
    }

    /// The command, or the one below it, that an invocation names.
    private func syntax(of invocation: Invocation) -> CommandSyntax? {
        let command = commands.first { $0.name == invocation.command }
        return command?.subcommands.first { $0.name == invocation.subcommand } ?? command
    }

    /// The words that lead to a command.
    private func path(_ command: CommandSyntax) -> [String] {
        let above = commands.first { $0.subcommands.contains { $0.name == command.name } }
        return (above.map { [$0.name] } ?? []) + [command.name]
    }

    private static func allOptions(_ command: CommandSyntax) -> [OptionSyntax] {
        command.options + command.subcommands.flatMap(\.options)
    }

    private static func row(_ option: OptionSyntax) -> (String, String) {
        ([option.name, option.value].compactMap(\.self).joined(separator: " "), option.help)
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = min(30, rows.map(\.0.count).max() ?? 0)
        return rows.map { name, text in
            let gap = name.count > width ? "\n" + spaces(width + 4) : spaces(width - name.count + 2)
            return "  " + name + gap + text
        }.joined(separator: "\n")
    }

    private static func spaces(_ count: Int) -> String {
        String(repeating: " ", count: count)
    }
}
