internal import TerminalUI

/// The host's command line.
enum HostSyntax {
    static let json = OptionSyntax("--json", nil, "print JSON for programs")

    static let encoding = OptionSyntax(
        "--encoding", "NAME", "what the subtitles are in, such as WINDOWS-1250 (default: seen or guessed)")

    static let play = CommandSyntax(
        "play", operands: "[SESSION]",
        summary:
            "Plays a film's sound and serves remotes: one opened before (id or part of its title), or these files.",
        options: [
            OptionSyntax(
                "--audio", "FILE[=LABEL]",
                "a track; give one for each language, the first is the default until another is set"),
            OptionSyntax("--subtitles", "FILE", "the subtitles, one timeline for all tracks"),
            OptionSyntax(
                "--title", "TEXT", "the film's name (default: the one it had, else the first track's file name)"),
            OptionSyntax("--start", nil, "play at once instead of waiting for a remote"),
            OptionSyntax("--port", "N", "listen on this port (default 42557; 0 takes any free one)"),
            OptionSyntax("--bind", "ADDRESS", "listen on this loopback address only (default 127.0.0.1 and ::1)"),
            OptionSyntax("--output", "WHERE", "auto, pulse, pulse:SINK or null (a clock without sound); default auto"),
            OptionSyntax("--mdns", "on|off", "announce this host to remotes (default on)"),
            OptionSyntax("--name", "TEXT", "what remotes show for this host (default: the machine's name)"),
            OptionSyntax("--connections", "N", "remotes at once (default 64)"),
        ])

    static let cues = CommandSyntax(
        "cues", operands: "FILE",
        summary: "Reads a subtitle file and prints its lines; what was mended goes to stderr.",
        options: [
            encoding,
            OptionSyntax(
                "--find", "WORDS", "only the lines with all these words, the best first, and nothing of what was mended"
            ),
        ])

    static let doctor = CommandSyntax(
        "doctor", summary: "Tells what is missing here, and what fixes it; with --sound, what a device really plays.",
        options: [
            OptionSyntax("--sound", nil, "play soft noise and measure positions, seeks, track switches and pauses"),
            OptionSyntax("--sink", "NAME", "measure this sound device (default: the default one)"),
            OptionSyntax(
                "--seconds", "N", "measure for about N seconds, 5 to 120 (default \(DoctorOptions.usualSeconds))"),
            OptionSyntax("--force", nil, "also where an allspeak-host is playing a film"),
        ],
        notes: """
            Exit codes: 0 nothing is missing, warnings aside; 69 something is, such as a sound server, the port or a folder
            to write in; 65 the library is damaged or not ours. With --sound: 0 all is as it should be; 1 a figure is more
            than it should be, or it was stopped; 64 there is no such device; 69 there is no sound server, or the device
            cannot be measured.
            """)

    static let program = ProgramSyntax(
        name: "allspeak-host",
        summary:
            "allspeak-host plays a film's sound in your language; allspeak-remote keeps it in step with the screen.",
        commands: [play, sessions, cues, doctor],
        commonOptions: [
            OptionSyntax(
                "--data", "DIR", "keep the library in DIR (default $ALLSPEAK_DATA, else $XDG_DATA_HOME/allspeak)"),
            json,
        ],
        notes:
            "Example: allspeak-host play --audio film.en.m4a=English --audio film.es.m4a=Spanish --subtitles film.srt")
}
