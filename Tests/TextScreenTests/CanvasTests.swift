import Testing

@testable import TextScreen

@Suite("Canvas") struct CanvasTests {
    @Test("text stands where it was written, one piece behind the other") func writing() {
        var canvas = Canvas(ScreenSize(columns: 10, rows: 2), measure: measure)
        let end = canvas.write("ab", .strong, row: 0, column: 1)
        #expect(end == 3)
        #expect(canvas.write("日", row: 0, column: end + 1) == 6)
        #expect(canvas.text(0) == " ab 日" && canvas.text(1) == "")
        #expect(canvas.rows[0].map(\.role) == [.strong, .text])
    }

    @Test("what reaches past the right edge or its limit is cut") func cutting() {
        var canvas = Canvas(ScreenSize(columns: 5, rows: 1), measure: measure)
        canvas.write("Hello, world", row: 0, column: 2)
        #expect(canvas.text(0) == "  He…")
        var limited = Canvas(ScreenSize(columns: 20, rows: 1), measure: measure)
        #expect(limited.write("Hello, world", row: 0, columns: 6) == 6)
        #expect(limited.text(0) == "Hello…")
    }

    @Test("nothing is written outside", arguments: [(-1, 0), (2, 0), (0, -1), (0, 5), (0, 99)]) func outside(
        row: Int, column: Int
    ) {
        var canvas = Canvas(ScreenSize(columns: 5, rows: 2), measure: measure)
        #expect(canvas.write("x", row: row, column: column) == column)
        #expect(canvas.rows == [[], []])
        canvas.write("x", row: 0, columns: -2)
        #expect(canvas.rows == [[], []])
    }

    @Test("text is set against the right edge or an end, or in the middle") func aligned() {
        var canvas = Canvas(ScreenSize(columns: 9, rows: 4), measure: measure)
        #expect(canvas.writeBack("abc", row: 0) == 6)
        #expect(canvas.writeBack("abc", row: 1, end: 5) == 2)
        canvas.writeCentred("abc", row: 2)
        #expect(canvas.writeBack("much too long a text", row: 3) == 0)
        #expect((0..<4).map { canvas.text($0) } == ["      abc", "  abc", "   abc", "much too…"])
    }

    @Test("a screen has a column and a row at least") func smallest() {
        #expect(ScreenSize(columns: 0, rows: -4) == ScreenSize(columns: 1, rows: 1))
    }

    @Test("canvases are the same when they look the same") func equality() {
        func canvas(_ text: String, cursor: Canvas.Place? = nil) -> Canvas {
            var canvas = Canvas(ScreenSize(columns: 5, rows: 1), measure: measure)
            canvas.write(text, row: 0)
            canvas.cursor = cursor
            return canvas
        }
        #expect(canvas("a") == canvas("a"))
        #expect(canvas("a") != canvas("b"))
        #expect(canvas("a") != canvas("a", cursor: .init(row: 0, column: 1)))
    }
}
