import Testing

@testable import TerminalUI

@Suite("Command line") struct CommandLineSyntaxTests {
    private let syntax = ProgramSyntax(
        name: "tool", summary: "A tool.",
        commands: [
            CommandSyntax(
                "go", operands: "[PLACE]", summary: "Goes.",
                options: [OptionSyntax("--with", "NAME", "company"), OptionSyntax("--fast", nil, "hurry")]),
            CommandSyntax("skip", operands: "±S…", summary: "Jumps."),
            CommandSyntax(
                "box", operands: "COMMAND", summary: "Boxes.",
                subcommands: [
                    CommandSyntax("open", operands: "BOX", summary: "Opens one."),
                    CommandSyntax("fill", summary: "Fills one.", options: [OptionSyntax("--of", "THING", "content")]),
                ]),
        ],
        commonOptions: [OptionSyntax("--json", nil, "for programs"), OptionSyntax("--host", "HOST", "where")])

    @Test("command, operands, options and switches are told apart") func parts() throws {
        let invocation = try syntax.parse(["go", "home", "--with", "Ana", "--fast", "--json"])
        #expect(invocation.command == "go")
        #expect(invocation.operands == ["home"])
        #expect(invocation.values == ["--with": ["Ana"]])
        #expect(invocation.switches == ["--fast", "--json"])
    }

    @Test("a value may follow an equals sign, and may hold one itself") func equals() throws {
        #expect(try syntax.parse(["go", "--with=a=b"]).value("--with") == "a=b")
    }

    @Test("a repeated option keeps every value; the last one counts where one is wanted") func repeated() throws {
        let invocation = try syntax.parse(["go", "--with", "a", "--with", "b"])
        #expect(invocation.values["--with"] == ["a", "b"])
        #expect(invocation.value("--with") == "b")
    }

    @Test("options of all commands may stand before the command") func before() throws {
        #expect(try syntax.parse(["--host", "h", "go"]).value("--host") == "h")
    }

    @Test("negative numbers are operands", arguments: ["-1", "-0.5", "-.5"]) func negative(text: String) throws {
        #expect(try syntax.parse(["skip", "+1", text]).operands == ["+1", text])
    }

    @Test("everything after -- is an operand") func afterDashes() throws {
        #expect(try syntax.parse(["go", "--", "--fast"]).operands == ["--fast"])
    }

    @Test("help is asked for anywhere", arguments: [["--help"], ["go", "-h"], ["go", "home", "--help"]])
    func help(arguments: [String]) throws {
        #expect(try syntax.parse(arguments).wantsHelp)
    }

    @Test(
        "what cannot be understood is named, with the help to read and exit code 64",
        arguments: [
            (["teleport"], "There is no command teleport. See: tool --help"),
            (["sikp"], "There is no command sikp (do you mean skip?). See: tool --help"),
            (["Skip"], "There is no command Skip (do you mean skip?). See: tool --help"),
            (["go", "--slow"], "There is no option --slow. See: tool go --help"),
            (["go", "--with"], "--with needs a value (NAME). See: tool go --help"),
            (["go", "--fast=yes"], "--fast takes no value. See: tool go --help"),
        ])
    func faults(arguments: [String], sentence: String) {
        #expect(throws: Failure(.usage, sentence)) { try syntax.parse(arguments) }
    }

    @Test("a command below another has operands and options of its own") func subcommands() throws {
        let invocation = try syntax.parse(["box", "fill", "a", "--of", "sand", "open"])
        #expect(invocation.command == "box")
        #expect(invocation.subcommand == "fill")
        #expect(invocation.operands == ["a", "open"])
        #expect(invocation.value("--of") == "sand")
        #expect(try syntax.parse(["box"]).subcommand == nil)
        #expect(try syntax.parse(["--json", "box", "--of", "sand", "fill"]).subcommand == "fill")
    }

    @Test(
        "one that is not there is told with its nearest, and options of others are refused",
        arguments: [
            (["box", "opne"], "There is no command box opne (do you mean open?). See: tool box --help"),
            (["box", "open", "--of", "x"], "There is no option --of. See: tool box open --help"),
            (["box", "fill", "--of"], "--of needs a value (THING). See: tool box fill --help"),
        ])
    func subcommandFaults(arguments: [String], sentence: String) {
        #expect(throws: Failure(.usage, sentence)) { try syntax.parse(arguments) }
    }

    @Test("the help of a command lists those below it, and theirs their own options") func subcommandHelp() {
        let above = syntax.help(for: Invocation(command: "box"))
        for word in ["tool box COMMAND", "open BOX", "Fills one.", "tool box COMMAND --help"] {
            #expect(above.contains(word), "\(word) is missing")
        }
        let below = syntax.help(for: Invocation(command: "box", subcommand: "fill"))
        #expect(below.contains("tool box fill"))
        #expect(below.contains("--of THING"))
        #expect(!below.contains("open"))
    }

    @Test("the program's help lists every command and common option") func programHelp() {
        let help = syntax.help(for: Invocation())
        for word in ["A tool.", "go [PLACE]", "Goes.", "skip ±S…", "--json", "--host HOST", "--help"] {
            #expect(help.contains(word), "\(word) is missing")
        }
    }

    @Test("a command's help lists its own options and the common ones") func commandHelp() {
        let help = syntax.help(for: Invocation(command: "go"))
        for word in ["tool go [PLACE]", "--with NAME", "company", "--fast", "--json"] {
            #expect(help.contains(word), "\(word) is missing")
        }
        #expect(!help.contains("skip"))
    }
}
