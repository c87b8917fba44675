internal import CCurses
internal import CLinux
internal import Glibc
internal import TextScreen

/// Text as curses' cells: each a letter with the marks that join it.
///
/// Handed over as text, curses would lose the marks of a wide letter.
struct CellRow {
    /// A letter and four marks: what a cell holds (CCHARW_MAX in curses.h).
    private static let scalarsPerCell = 5

    private(set) var cells: [cchar_t] = []

    init(_ text: String, _ style: RoleStyles.Style) {
        var cluster: [wchar_t] = []
        for scalar in text.unicodeScalars {
            let columns = wcwidth(wchar_t(bitPattern: scalar.value))
            if columns == 0, !cluster.isEmpty {
                if cluster.count < Self.scalarsPerCell { cluster.append(wchar_t(bitPattern: scalar.value)) }
                continue
            }
            append(cluster, style)
            // A control character would be an order to the terminal, and a mark of its own would join what it does not belong to.
            cluster = [columns > 0 ? wchar_t(bitPattern: scalar.value) : 0xFFFD]
        }
        append(cluster, style)
    }

    private mutating func append(_ cluster: [wchar_t], _ style: RoleStyles.Style) {
        guard !cluster.isEmpty else { return }
        var cell = cchar_t()
        if allspeak_set_cell(&cell, cluster + [0], style.attributes, style.pair) == OK { cells.append(cell) }
    }
}
