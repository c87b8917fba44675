import Foundation
import TestKit
import Testing

extension EndToEnd {
    /// `allspeak-host cues FILE` as a person or a program uses it.
    @Suite("Looking into a subtitle file")
    struct SubtitleCommand {
        private let stage: Stage

        init() throws {
            stage = try Stage()
        }

        private func file(_ lines: [String]) -> String {
            lines.enumerated().map { number, line in
                "\(number + 1)\n00:00:0\(number),000 --> 00:00:0\(number),900\n\(line)\n\n"
            }
            .joined()
        }

        @Test("what was mended is told on standard error, with the lines of the file") func repairs() throws {
            let path = try stage.folder.file(
                "film.srt",
                "1\n00:00:05,000 --> 00:00:04,000\nOne\n\n2\n-00:00:06,000 --> 00:00:07,000\nTwo\n\n3\nsoon --> later\nx"
            )
            let run = try stage.hostCommand(["cues", path])
            #expect(run.code == 0)
            #expect(run.output == "1  0:00  Two\n2  0:05  One\n")
            #expect(
                run.errors == """
                    line 2: this cue ended before its start; it now ends at its start
                    line 6: a time before the film's start became 0
                    line 6: this cue starts before the one above it; cues were sorted by start
                    line 6: cue numbers are missing, repeated or do not grow; cues were numbered from 1
                    line 10: this time line cannot be read; its text was left out

                    """)
        }

        @Test("an old code page is guessed, and --encoding overrides it") func encoding() throws {
            let path = stage.folder("old.srt")
            let text = file(["Cze\u{9C}\u{E6}, \u{9C}pieszmy si\u{EA}!", "Gdzie by\u{B3}e\u{9C}?"])
            try Data(text.unicodeScalars.map { UInt8($0.value) }).write(to: URL(fileURLWithPath: path))
            let guessed = try stage.hostCommand(["cues", path])
            #expect(guessed.output == "1  0:00  Cześć, śpieszmy się!\n2  0:01  Gdzie byłeś?\n")
            #expect(guessed.errors.contains("WINDOWS-1250"))
            let told = try stage.hostCommand(["cues", path, "--encoding", "windows-1251"])
            #expect(told.output == "1  0:00  Czeњж, њpieszmy siк!\n2  0:01  Gdzie byіeњ?\n")
            #expect(told.errors.isEmpty)
            let wrong = try stage.hostCommand(["cues", path, "--encoding", "klingon"])
            let doubtful = try stage.hostCommand(["cues", path, "--encoding", "UTF-16LE"])
            #expect(doubtful.code == 65)
            #expect(doubtful.errors.contains("Or it is not in UTF-16LE: try without --encoding."))
            #expect(guessed.errors.contains("--encoding NAME"))
            #expect(wrong.code == 64)
            #expect(wrong.errors.contains("There is no encoding “klingon”"))
        }

        @Test("--find prints the lines with all the words, the best first, and says when there are none") func find()
            throws
        {
            let path = try stage.folder.file(
                "film.srt", file(["Where were you?", "You were\nthere.", "Où étiez-vous ?", "You know."]))
            #expect(
                try stage.hostCommand(["cues", path, "--find", "YOU were"]).output
                    == "2  0:01  You were there.\n1  0:00  Where were you?\n")
            #expect(
                try stage.hostCommand(["cues", path, "--find", "ou etiez", "--json"]).output
                    == #"[{"index":3,"start":2,"end":2.9,"text":"Où étiez-vous ?"}]"# + "\n")
            let none = try stage.hostCommand(["cues", path, "--find", "nobody", "--json"])
            #expect(none.code == 0)
            #expect(none.output == "[]\n")
            #expect(none.errors == "No line has all of “nobody”.\n")
        }

        @Test("--find tells nothing of what was mended, and wants one argument with a word in it") func findArguments()
            throws
        {
            let path = try stage.folder.file("film.srt", "1\n00:00:05,000 --> 00:00:04,000\nOne two\n")
            let found = try stage.hostCommand(["cues", path, "--find", "one"])
            #expect(found.output == "1  0:05  One two\n")
            #expect(found.errors == "")
            let empty = try stage.hostCommand(["cues", path, "--find", " ?"])
            #expect(empty.code == 64)
            #expect(try empty.sentence().contains("Give a word"))
            let split = try stage.hostCommand(["cues", path, "--find", "one", "two"])
            #expect(split.code == 64)
            #expect(try split.sentence().contains("quote the words"))
        }
    }
}
