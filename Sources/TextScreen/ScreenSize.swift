/// How many characters a terminal shows, in columns and rows.
package struct ScreenSize: Equatable, Sendable {
    /// At least 1.
    package var columns: Int
    package var rows: Int

    /// A terminal that tells nothing or less than one has one.
    package init(columns: Int, rows: Int) {
        self.columns = max(1, columns)
        self.rows = max(1, rows)
    }
}
