package import WireProtocol

/// What a subtitle file gave: its cues, and what had to be mended to get them.
package struct SubtitleDocument: Equatable, Sendable {
    /// Sorted by start; cues with equal starts stand as in the file.
    ///
    /// `Cue.index` is unique and grows: the file's own numbers where every cue has one and they grow in the order of
    /// time, else 1…n. Remotes name lines by it, so two cues never share one. At least one cue; no text is empty, and
    /// no end lies before its start.
    package var cues: [Cue]
    /// In the order of lines; of many of one kind the first ten and a count.
    package var repairs: [Repair]
    /// What the file was read as: `UTF-8`, or a name that iconv knows.
    package var encoding: String
    /// Nothing in the file says so: it was found by likelihood.
    package var isEncodingGuessed: Bool
    /// How often something was mended, what `repairs` only counts included.
    package var repairCount: Int

    package init(
        cues: [Cue], repairs: [Repair], encoding: String = "UTF-8", isEncodingGuessed: Bool = false,
        repairCount: Int? = nil
    ) {
        self.isEncodingGuessed = isEncodingGuessed
        self.repairCount = repairCount ?? repairs.count
        self.cues = cues
        self.repairs = repairs
        self.encoding = encoding
    }
}

/// One thing a reader had to mend, leave out or guess.
package struct Repair: Equatable, Sendable {
    /// Counted from 1, in the file as it lies on disk.
    package var line: Int
    /// One sentence without the final stop.
    package var sentence: String

    package init(line: Int, sentence: String) {
        self.line = line
        self.sentence = sentence
    }
}

/// Why a file gives no cues.
package struct SubtitleError: Error, Equatable, Sendable {
    /// One plain sentence, without the final stop, that names the fault and, where there is one, the way out.
    package var reason: String

    package init(_ reason: String) {
        self.reason = reason
    }

    /// More than `SubtitleReader.maximumCues`.
    static var tooManyCues: SubtitleError {
        SubtitleError("the file has more than \(SubtitleReader.maximumCues) lines, so these are no film's subtitles")
    }
}
