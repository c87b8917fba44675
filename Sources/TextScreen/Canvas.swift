/// A drawn screen: for each row pieces of text, each with its role, that never reach past the right edge.
package struct Canvas: Equatable, Sendable {
    package struct Run: Equatable, Sendable {
        /// As `TextMeasure.shown` makes it.
        package var text: String
        package var role: Role
        /// The column of its first character, from 0.
        package var column: Int
        package var columns: Int
    }

    /// Both from 0.
    package struct Place: Equatable, Sendable {
        package var row: Int
        package var column: Int

        package init(row: Int, column: Int) {
            self.row = row
            self.column = column
        }
    }

    package let size: ScreenSize
    /// As many as the size has; what no run covers is empty.
    package private(set) var rows: [[Run]]
    /// Where what is typed appears; `nil` hides the cursor.
    package var cursor: Place?

    private let measure: TextMeasure

    package init(_ size: ScreenSize, measure: TextMeasure) {
        self.size = size
        self.measure = measure
        rows = Array(repeating: [], count: size.rows)
    }

    package static func == (one: Canvas, other: Canvas) -> Bool {
        one.size == other.size && one.rows == other.rows && one.cursor == other.cursor
    }

    /// Writes `text` from `column` on, behind what stands in the row already; what does not fit is cut, with `…` for it.
    ///
    /// - Returns: the column behind it.
    @discardableResult
    package mutating func write(
        _ text: String, _ role: Role = .text, row: Int, column: Int = 0, columns limit: Int? = nil
    ) -> Int {
        guard rows.indices.contains(row), column >= 0 else { return column }
        let room = min(limit ?? .max, size.columns - column)
        let fitting = measure.cut(measure.shown(text), to: room)
        guard !fitting.isEmpty else { return column }
        let columns = measure.columns(fitting)
        rows[row].append(Run(text: fitting, role: role, column: column, columns: columns))
        return column + columns
    }

    /// Writes `text` so that it ends before `end`, the right edge where there is none.
    ///
    /// - Returns: its first column.
    @discardableResult
    package mutating func writeBack(_ text: String, _ role: Role = .text, row: Int, end: Int? = nil) -> Int {
        let end = min(end ?? size.columns, size.columns)
        let column = max(0, end - measure.columns(measure.shown(text)))
        write(text, role, row: row, column: column)
        return column
    }

    /// Writes `text` in the middle of the row.
    package mutating func writeCentred(_ text: String, _ role: Role = .text, row: Int) {
        write(text, role, row: row, column: max(0, (size.columns - measure.columns(measure.shown(text))) / 2))
    }

    /// The row as it reads, without its roles.
    package func text(_ row: Int) -> String {
        var line = ""
        var column = 0
        for run in rows[row].sorted(by: { $0.column < $1.column }) {
            line += String(repeating: " ", count: max(0, run.column - column)) + run.text
            column = run.column + run.columns
        }
        return line
    }
}
