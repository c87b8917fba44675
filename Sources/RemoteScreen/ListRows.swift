/// The part of a list that a screen shows, laid out around the item that matters.
///
/// No more items are looked at than fit, so a list of any length costs the same.
struct ListRows {
    struct Item {
        var place: Int
        var lines: [String]
        /// Of its first line, from 0; negative where its beginning is scrolled away.
        var row: Int
    }

    private(set) var items: [Item] = []

    /// `focus` comes to stand a third below the top, unless the list begins or ends there.
    ///
    /// `lines` gives an item's text, one line at least.
    init(count: Int, focus: Int, height: Int, lines: (Int) -> [String]) {
        guard count > 0, height > 0 else { return }
        let focus = min(max(0, focus), count - 1)
        // Going up from the focus, and down from it.
        var upper: [(place: Int, lines: [String])] = []
        var lower = [(place: focus, lines: lines(focus))]
        var (upperRows, lowerRows) = (0, lower[0].lines.count)
        func takeUpper() {
            let place = focus - 1 - upper.count
            upper.append((place, lines(place)))
            upperRows += upper[upper.count - 1].lines.count
        }
        while upper.count < focus, upperRows < height / 3 { takeUpper() }
        var top = min(upperRows, height / 3)
        while focus + lower.count < count, top + lowerRows < height {
            let place = focus + lower.count
            lower.append((place, lines(place)))
            lowerRows += lower[lower.count - 1].lines.count
        }
        while top + lowerRows < height, upperRows > top || upper.count < focus {
            if upperRows == top { takeUpper() }
            top += min(height - top - lowerRows, upperRows - top)
        }
        var row = top - upperRows
        for (place, lines) in upper.reversed() + lower {
            items.append(Item(place: place, lines: lines, row: row))
            row += lines.count
        }
    }
}
