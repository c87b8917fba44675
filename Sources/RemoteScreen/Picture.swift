internal import TextScreen

/// What is drawn, and what a tap on it means.
struct Picture {
    enum Target: Equatable {
        /// What the key does.
        case key(ScreenInput.Key)
        case page(RemoteScreen.Page)
        /// Places in the lists of the model.
        case cue(Int)
        case track(Int)
        case host(Int)
        case jump(Int)
    }

    private struct Zone {
        var row: Int
        var columns: Range<Int>
        var target: Target
    }

    var canvas: Canvas
    private var zones: [Zone] = []

    init(_ size: ScreenSize, measure: TextMeasure) {
        canvas = Canvas(size, measure: measure)
    }

    /// Writes text that can be tapped.
    /// - Returns: the column behind it.
    @discardableResult
    mutating func put(_ text: String, _ role: Role, row: Int, column: Int, target: Target) -> Int {
        let end = canvas.write(text, role, row: row, column: column)
        zone(row: row, columns: column..<max(column, end), target)
        return end
    }

    /// Makes a whole row mean something.
    mutating func zone(row: Int, _ target: Target) {
        zone(row: row, columns: 0..<canvas.size.columns, target)
    }

    mutating func zone(row: Int, columns: Range<Int>, _ target: Target) {
        zones.append(Zone(row: row, columns: columns, target: target))
    }

    func target(row: Int, column: Int) -> Target? {
        zones.last { $0.row == row && $0.columns.contains(column) }?.target
    }
}
