internal import TerminalUI

extension HostSyntax {
    private static let audio = OptionSyntax(
        "--audio", "FILE[=LABEL]", "a track to copy; its label is the file's name unless given")
    private static let subtitles = OptionSyntax("--subtitles", "FILE", "the subtitles to copy")
    private static let title = OptionSyntax("--title", "TEXT", "the film's name (default: the first track's file name)")

    /// SESSION is an id, the beginning of one, or part of a title; TRACK a label or part of one, a number from 1, or an id.
    static let sessions = CommandSyntax(
        "sessions", operands: "COMMAND",
        summary: "The films of the library: SESSION is an id or part of a title, TRACK a label or a number.",
        subcommands: [
            CommandSyntax("list", summary: "Lists the films, the last opened first."),
            CommandSyntax("show", operands: "SESSION", summary: "Tells everything about one film."),
            CommandSyntax(
                "add", summary: "Copies tracks and subtitles of a film into the library.",
                options: [
                    title,
                    OptionSyntax(
                        "--audio", "FILE[=LABEL]",
                        "a track; give one for each language, the first is the default; its label is the file's name unless given"
                    ), OptionSyntax("--subtitles", "FILE", "the subtitles, one timeline for all tracks"),
                    encoding,
                ]),
            CommandSyntax("rename", operands: "SESSION TITLE", summary: "Gives a film another title."),
            CommandSyntax(
                "delete", operands: "SESSION…",
                summary: "Deletes films and what was copied for them; files you play in place stay."),
            CommandSyntax(
                "add-track", operands: "SESSION", summary: "Copies further tracks into a film.", options: [audio]),
            CommandSyntax(
                "remove-track", operands: "SESSION TRACK", summary: "Removes a track; the last one stays."),
            CommandSyntax(
                "set-default", operands: "SESSION TRACK", summary: "Chooses the track that the film begins with."),
            CommandSyntax(
                "replace-subtitles", operands: "SESSION FILE",
                summary: "Copies other subtitles into a film; the position stays.", options: [subtitles, encoding]),
            CommandSyntax(
                "export", operands: "[SESSION] FILE.allspeak|DIR",
                summary:
                    "Writes a film into one file to give away; with DIR alone, the whole library into a new folder."
            ),
            CommandSyntax(
                "import", operands: "FILE.allspeak…|DIR", summary: "Takes in films that others have exported."),
        ])
}
