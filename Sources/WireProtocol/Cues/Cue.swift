/// One subtitle line of a session's timeline.
package struct Cue: Equatable, Sendable {
    /// The number it carries in its file; unique within a timeline.
    package var index: Int
    /// Seconds from the start of the film; finite.
    package var start: Double
    package var end: Double
    /// May hold several lines, parted by LF.
    package var text: String

    package init(index: Int, start: Double, end: Double, text: String) {
        self.index = index
        self.start = start
        self.end = end
        self.text = text
    }
}
