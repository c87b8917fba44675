/// Signs of three rows, to be read at arm's length in the dark.
enum BigText {
    static let rows = 3

    /// Each row as wide as the others.
    static let playing = ["██▄▖  ", "██████", "██▀▘  "]
    static let paused = ["██  ██", "██  ██", "██  ██"]

    private static let signs: [Character: [String]] = [
        "0": ["┏━┓", "┃ ┃", "┗━┛"], "1": [" ╻ ", " ┃ ", " ╹ "], "2": ["╺━┓", "┏━┛", "┗━╸"],
        "3": ["╺━┓", " ━┫", "╺━┛"], "4": ["╻ ╻", "┗━┫", "  ╹"], "5": ["┏━╸", "┗━┓", "╺━┛"],
        "6": ["┏━╸", "┣━┓", "┗━┛"], "7": ["╺━┓", "  ┃", "  ╹"], "8": ["┏━┓", "┣━┫", "┗━┛"],
        "9": ["┏━┓", "┗━┫", "╺━┛"], ":": ["╻", " ", "╹"],
    ]

    /// A time such as `1:02:18` in three rows; `nil` for anything else.
    static func time(_ text: String) -> [String]? {
        var rows = [String](repeating: "", count: rows)
        for character in text {
            guard let sign = signs[character] else { return nil }
            for row in rows.indices { rows[row] += (rows[row].isEmpty ? "" : " ") + sign[row] }
        }
        return text.isEmpty ? nil : rows
    }
}
