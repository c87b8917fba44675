import Testing
import TextScreen
import WireProtocol

@testable import Terminal

@Suite("Input decoder") struct InputDecoderTests {
    private var decoder = InputDecoder()
    private var now = SteadyTime(nanoseconds: 1_000_000_000)

    private mutating func feed(_ text: String, after seconds: Double = 0) -> [ScreenInput] {
        feed(Array(text.utf8), after: seconds)
    }

    private mutating func feed(_ bytes: [UInt8], after seconds: Double = 0) -> [ScreenInput] {
        now = now + seconds
        return decoder.feed(bytes[...], at: now)
    }

    /// The escape key: what comes once nothing followed.
    private mutating func pause() -> [ScreenInput] {
        now = now + 0.025
        return decoder.pause(at: now)
    }

    @Test(
        "knows the keys, in both modes of the cursor keys and with modifiers",
        arguments: [
            ("\u{1B}[A", .up), ("\u{1B}OA", .up), ("\u{1B}[1;5A", .up), ("\u{1B}[B", .down), ("\u{1B}OB", .down),
            ("\u{1B}[C", .right), ("\u{1B}[D", .left), ("\u{1B}[5~", .pageUp), ("\u{1B}[6~", .pageDown),
            ("\u{1B}[5;2~", .pageUp), ("\u{1B}[H", .home), ("\u{1B}OH", .home), ("\u{1B}[1~", .home),
            ("\u{1B}[7~", .home), ("\u{1B}[F", .end), ("\u{1B}[4~", .end), ("\u{1B}[8~", .end), ("\u{1B}[Z", .backTab),
            ("\t", .tab), ("\r", .enter), ("\n", .enter), ("\u{1B}OM", .enter), ("\u{7F}", .backspace),
            ("\u{8}", .backspace), ("\u{15}", .clear), ("\u{3}", .interrupt), ("\u{4}", .interrupt),
            ("\u{1A}", .suspend), (" ", .character(" ")), ("~", .character("~")), ("ö", .character("ö")),
            ("Ж", .character("Ж")), ("漢", .character("漢")), ("🎬", .character("🎬")), ("א", .character("א")),
        ] as [(String, ScreenInput.Key)])
    mutating func key(bytes: String, key: ScreenInput.Key) {
        #expect(feed(bytes) == [.key(key)])
        // Whatever the bytes are cut into.
        var cut: [ScreenInput] = []
        for byte in bytes.utf8 { cut += feed([byte], after: 0.001) }
        #expect(cut == [.key(key)])
    }

    @Test("takes Ctrl-L for a wish to see everything anew") mutating func exposed() {
        #expect(feed("\u{C}") == [.exposed])
    }

    @Test("reads several keys that come at once, in order") mutating func several() {
        #expect(feed("a\u{1B}[A\u{1B}[Bö") == [.key(.character("a")), .key(.up), .key(.down), .key(.character("ö"))])
    }

    // MARK: Escape

    @Test("takes an ESC for the key once nothing follows") mutating func escape() {
        #expect(feed("\u{1B}") == [])
        #expect(decoder.mayBeEscapeKey)
        #expect(pause() == [.key(.escape)])
        #expect(!decoder.mayBeEscapeKey)
        #expect(pause() == [])
        #expect(feed("x") == [.key(.character("x"))])
    }

    @Test("tells Escape and a letter apart from each other where a slow line brings them together")
    mutating func escapeAndLetter() {
        #expect(feed("\u{1B}j") == [.key(.escape), .key(.character("j"))])
        #expect(feed("\u{1B}\u{3}") == [.key(.escape), .key(.interrupt)])
        #expect(feed("\u{1B}ö") == [.key(.escape), .key(.character("ö"))])
        #expect(feed("\u{1B}\u{1B}") == [.key(.escape)])
        #expect(pause() == [.key(.escape)])
    }

    @Test("still knows an arrow whose rest came late, and takes a single [ for the key")
    mutating func late() {
        _ = feed("\u{1B}")
        #expect(pause() == [.key(.escape)])
        #expect(feed("[A", after: 0.3) == [.key(.up)])
        _ = feed("\u{1B}")
        _ = pause()
        #expect(feed("[<0;5;3Mx", after: 0.3) == [.tapped(row: 2, column: 4), .key(.character("x"))])
        _ = feed("\u{1B}")
        _ = pause()
        #expect(feed("[", after: 0.3) == [.key(.character("["))])
        #expect(feed("A", after: 0.01) == [.key(.character("A"))])
        _ = feed("\u{1B}")
        _ = pause()
        #expect(feed("[A", after: 2) == [.key(.character("[")), .key(.character("A"))])
        _ = feed("\u{1B}")
        _ = pause()
        #expect(feed("[[", after: 0.1) == [.key(.character("[")), .key(.character("["))])
    }

    @Test("waits a second for the rest of a sequence, and no longer") mutating func unfinished() {
        #expect(feed("\u{1B}[") == [])
        #expect(feed("5", after: 0.9) == [])
        #expect(feed("~", after: 0.9) == [.key(.pageUp)])
        #expect(feed("\u{1B}[") == [])
        #expect(feed("q", after: 1.1) == [.key(.character("q"))])
    }

    // MARK: Mouse

    @Test("reads taps and the wheel, with and without modifiers") mutating func mouse() {
        #expect(feed("\u{1B}[<0;1;1M") == [.tapped(row: 0, column: 0)])
        #expect(feed("\u{1B}[<0;200;50M\u{1B}[<0;200;50m") == [.tapped(row: 49, column: 199)])
        #expect(feed("\u{1B}[<16;3;4M") == [.tapped(row: 3, column: 2)])
        #expect(feed("\u{1B}[<64;3;4M") == [.scrolled(up: true, row: 3, column: 2)])
        #expect(feed("\u{1B}[<65;3;4M") == [.scrolled(up: false, row: 3, column: 2)])
    }

    @Test("passes over other buttons, motion and the wheel sideways") mutating func otherMouse() {
        #expect(feed("\u{1B}[<1;3;4M\u{1B}[<2;3;4M\u{1B}[<32;3;4M\u{1B}[<35;3;4M\u{1B}[<66;3;4M\u{1B}[<128;3;4M") == [])
    }

    @Test("reads the old reports of terminals that know no others") mutating func oldMouse() {
        #expect(feed([0x1B, 0x5B, 0x4D, 32, 33, 35]) == [.tapped(row: 2, column: 0)])
        #expect(feed([0x1B, 0x5B, 0x4D, 96, 255, 255]) == [.scrolled(up: true, row: 222, column: 222)])
        #expect(feed([0x1B, 0x5B, 0x4D, 35, 33, 35]) == [])
        #expect(feed([0x1B, 0x5B, 0x4D, 0, 0, 0]) == [])
    }

    // MARK: What is not meant

    @Test(
        "passes over what means nothing here",
        arguments: [
            "\u{1B}[200~", "\u{1B}[I", "\u{1B}[O", "\u{1B}[?1;2c", "\u{1B}[24;80R", "\u{1B}[[A", "\u{1B}[15~",
            "\u{1B}OP", "\u{1B}[<0;0;0M", "\u{1B}[<0;1M", "\u{1B}[<999999;1;1M", "\u{1B}[<0;-1;1M", "\u{1B}[<;;M",
            "\u{1B}[1;2;3;4;5;6;7;8;9;1;2;3;4;5;6;7;8;9;1;2;3A", "\u{1B}[!p", "\u{1B}[?A", "\0", "\u{13}", "\u{1F}",
            "\u{85}", "\u{9B}A".unicodeScalars.first.map(String.init) ?? "", "\u{202E}", "\u{FFFE}", "\u{E000}",
            "\u{AD}", "\u{2028}",
        ])
    mutating func passedOver(bytes: String) {
        #expect(feed(bytes) == [])
        #expect(feed("x") == [.key(.character("x"))])
    }

    @Test(
        "passes over bytes that are not UTF-8, and reads on behind them",
        arguments: [
            [0xFF], [0x80], [0xC0], [0xC1], [0xC3], [0xE2, 0x82], [0xF0, 0x9F, 0x8E], [0xF5, 0x80, 0x80, 0x80],
            [0xED, 0xA0, 0x80], [0xE0, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xC3, 0xC3], [0x1B, 0x5B, 0xFF],
        ] as [[UInt8]])
    mutating func notText(bytes: [UInt8]) {
        #expect(feed(bytes + Array("x".utf8)) == [.key(.character("x"))])
    }

    /// The answers to what another program has asked the terminal, which come late and to us.
    @Test(
        "takes none of a terminal's answers for keys",
        arguments: [
            "\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{7}", "\u{1B}]11;rgb:1c1c/1c1c/1c1c\u{1B}\\", "\u{1B}P>|xterm(390)\u{1B}\\",
            "\u{1B}P1+r544e=787465726d\u{1B}\\", "\u{1B}_Gi=31;OK\u{1B}\\", "\u{1B}[?64;1;9c", "\u{1B}[24;80R",
        ])
    mutating func answers(answer: String) {
        #expect(feed(answer + "p") == [.key(.character("p"))])
        for byte in answer.utf8 { #expect(feed([byte]).isEmpty) }
        #expect(feed("p") == [.key(.character("p"))])
    }

    @Test(
        "lets Ctrl-C end whatever has begun",
        arguments: ["\u{1B}[", "\u{1B}[<0;1", "\u{1B}O", "\u{1B}[[", "\u{C3}", "\u{1B}P1", "\u{1B}]1"])
    mutating func interrupt(begun: String) {
        _ = feed(Array(begun.utf8).prefix(begun == "\u{C3}" ? 1 : 99).map(\.self))
        #expect(feed("\u{3}") == [.key(.interrupt)])
    }

    @Test("makes no more of a flood than it has bytes, and knows the next key") mutating func flood() {
        var random: UInt64 = 88_172_645_463_325_252
        for _ in 0..<2_000 {
            let bytes = (0..<Int(random % 40)).map { _ in
                random ^= random << 13
                random ^= random >> 7
                random ^= random << 17
                return UInt8(truncatingIfNeeded: random % 3 == 0 ? 0x1B : random >> 20)
            }
            random &+= 0x9E37_79B9_7F4A_7C15
            // An ESC may stand for itself once the byte behind it shows that, and for one that waits from before.
            #expect(feed(bytes).count <= bytes.count + 1)
        }
        #expect(feed("\u{1B}[5~", after: 2).last == .key(.pageUp))
    }

    @Test("knows the keys that terminfo adds") mutating func terminfo() {
        decoder = InputDecoder(keys: [
            Array("\u{1B}A".utf8): .up, Array("\u{1B}\t".utf8): .backTab, Array("\u{1B}[214z".utf8): .home,
            Array("\u{1B}&h".utf8): .end,
        ])
        #expect(feed("\u{1B}A\u{1B}\t\u{1B}[214z\u{1B}&h") == [.key(.up), .key(.backTab), .key(.home), .key(.end)])
        #expect(feed("\u{1B}j") == [.key(.escape), .key(.character("j"))])
    }
}
