internal import TerminalUI

/// The remote's command line.
enum RemoteSyntax {
    static let host = OptionSyntax(
        "--host", "HOST[:PORT]", "the host's address, or the name or id it announces (default: the one there is)")
    static let json = OptionSyntax("--json", nil, "print JSON for programs")
    static let cue = OptionSyntax("--cue", "N", "go to the start of line N (its number in the list)")

    static let screen = [
        OptionSyntax("--dim", nil, "full screen, always on: the time moves once a minute"),
        OptionSyntax("--bell", nil, "full screen: ring for each tap that is taken"),
        OptionSyntax("--plain", nil, "lines instead of a screen, for screen readers; the same keys"),
    ]

    static let program = ProgramSyntax(
        name: "allspeak-remote",
        summary:
            "allspeak-remote keeps the film's sound in step with the screen. Without a command it fills the terminal; ? tells its keys.",
        commands: [
            CommandSyntax("discover", summary: "Lists the hosts that announce themselves."),
            CommandSyntax("status", summary: "Shows the film, the track, the position and the current line."),
            CommandSyntax("play", summary: "Plays."),
            CommandSyntax("pause", summary: "Pauses."),
            CommandSyntax("toggle", summary: "Plays when paused, pauses when playing."),
            CommandSyntax("skip", operands: "±S…", summary: "Jumps by the sum of these seconds: skip +1 +1 +3 -1."),
            CommandSyntax(
                "seek", operands: "[TIME]", summary: "Goes to a time (1:02:03.5, 62:03 or 90), or to a line.",
                options: [cue]),
            CommandSyntax("track", operands: "N|LABEL", summary: "Changes the track; the position stays."),
            CommandSyntax("volume", operands: "[0-100]", summary: "Sets the laptop's system volume, or shows it."),
            CommandSyntax(
                "cues", summary: "Prints the subtitles.",
                options: [OptionSyntax("--find", "WORDS", "only the lines with all these words, the best first")]),
            CommandSyntax("watch", summary: "Prints a line for each change and each spoken line, until Ctrl-C."),
        ],
        commonOptions: [host, json], ownOptions: screen,
        notes: "Example: allspeak-remote skip +1 +1 +3    jumps 5 seconds at once")
}
