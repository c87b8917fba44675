/// What sets WebVTT files (https://www.w3.org/TR/webvtt1/) apart from SRT.
enum WebVTT {
    /// By the first word, whatever the file is called.
    static func recognises(_ text: [UInt8]) -> Bool {
        guard ForeignFile.begins(text, with: "webvtt") else { return false }
        // §4.1: nothing, a space or a tab before the title.
        return text.drop { $0 <= 0x20 }.dropFirst(6).first.map { $0 <= 0x20 } ?? true
    }

    /// Whether `line`, the first after a blank one, begins a comment, style sheet or region instead of a cue.
    static func beginsBlock(_ line: ArraySlice<UInt8>) -> Bool {
        ["NOTE", "STYLE", "REGION"].contains { word in
            line.starts(with: word.utf8) && (line.dropFirst(word.utf8.count).first.map { $0 <= 0x20 } ?? true)
        }
    }
}
