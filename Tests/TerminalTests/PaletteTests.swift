import Foundation
import Testing
import TextScreen

@testable import Terminal

@Suite("Palette") struct PaletteTests {
    /// The relative luminance of WCAG 2.2, 0 for black to 1 for white.
    private func luminance(_ colour: Int) -> Double {
        func linear(_ value: Int) -> Double {
            let part = Double(value & 0xFF) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(colour >> 16) + 0.7152 * linear(colour >> 8) + 0.0722 * linear(colour)
    }

    /// A number of xterm's cube or greys as 0xRRGGBB.
    private func exact(_ number: Int) -> Int {
        if number >= 232 { return (8 + 10 * (number - 232)) * 0x01_0101 }
        let steps = [0, 95, 135, 175, 215, 255]
        let cube = number - 16
        return steps[cube / 36] << 16 | steps[cube / 6 % 6] << 8 | steps[cube % 6]
    }

    private func colours(_ role: Role, at depth: ColourDepth) -> [Int] {
        let look = Palette.appearance(of: role, at: depth)
        return [look.foreground, look.background].compactMap(\.self).map { depth == .indexed ? exact($0) : $0 }
    }

    @Test("gives little light: no colour has more than a third of white's", arguments: Role.allCases)
    func dark(role: Role) {
        for depth in [ColourDepth.indexed, .direct, .rewritten] {
            for colour in colours(role, at: depth) { #expect(luminance(colour) <= 0.34) }
        }
    }

    @Test("is warm: no colour has more blue than red", arguments: Role.allCases)
    func warm(role: Role) {
        for depth in [ColourDepth.indexed, .direct] {
            for colour in colours(role, at: depth) { #expect(colour >> 16 >= colour & 0xFF) }
        }
    }

    @Test(
        "can be read on black: 4.5 to 1 for what is read, 3 to 1 for hints",
        arguments: [
            (Role.text, 4.5), (.strong, 4.5), (.current, 4.5), (.pending, 4.5), (.warning, 4.5), (.button, 4.5),
            (.quiet, 3),
        ])
    func readable(role: Role, contrast: Double) throws {
        for depth in [ColourDepth.indexed, .direct] {
            let colour = try #require(colours(role, at: depth).first)
            #expect((luminance(colour) + 0.05) / 0.05 >= contrast, "\(depth)")
        }
    }

    @Test("can be read where it is selected, and the bar's end can be seen")
    func selected() throws {
        for depth in [ColourDepth.indexed, .direct] {
            let selected = colours(.selected, at: depth)
            #expect((luminance(selected[0]) + 0.05) / (luminance(selected[1]) + 0.05) >= 3.5)
            #expect(luminance(colours(.filled, at: depth)[0]) > 2 * luminance(colours(.unfilled, at: depth)[0]))
        }
    }

    @Test("leaves the background the terminal's own, except where something is selected")
    func background() {
        for depth in [ColourDepth.none, .eight, .sixteen, .indexed, .direct, .rewritten] {
            for role in Role.allCases where role != .selected {
                #expect(Palette.appearance(of: role, at: depth).background == nil)
            }
        }
    }

    @Test("does without white, the bright eight, and bold that would become one of these")
    func fewColours() {
        for depth in [ColourDepth.eight, .sixteen] {
            for role in Role.allCases {
                let look = Palette.appearance(of: role, at: depth)
                for colour in [look.foreground, look.background].compactMap(\.self) {
                    #expect(colour < 7 || depth == .sixteen && colour == 8)
                }
                #expect(!look.attributes.contains(.bold))
            }
        }
    }

    @Test("uses no colour where there is none, and tells apart what has to be")
    func monochrome() {
        let looks = Role.allCases.map { Palette.appearance(of: $0, at: .none) }
        #expect(looks.allSatisfy { !$0.hasColour })
        let distinct: [Role] = [.text, .strong, .current, .selected, .pending, .warning]
        let seen = distinct.map { Palette.appearance(of: $0, at: .none).attributes.rawValue }
        #expect(Set(seen).count == distinct.count)
    }

    // MARK: How many colours

    private func depth(
        _ colours: Int, direct: Bool = false, numbering: String? = "\u{1B}[38;5;200m", term: String = "xterm-256color",
        _ environment: [String: String] = [:]
    ) -> ColourDepth {
        ColourDepth(
            colours: colours, isDirect: direct, numbering: numbering, term: term, environment: { environment[$0] })
    }

    @Test("goes by terminfo") func terminfo() {
        #expect(depth(-1) == .none)
        #expect(depth(0) == .none)
        #expect(depth(2) == .none)
        #expect(depth(8) == .eight)
        #expect(depth(16) == .sixteen)
        #expect(depth(88) == .sixteen)
        #expect(depth(256) == .indexed)
        #expect(depth(1 << 24, direct: true) == .direct)
    }

    @Test("takes COLORTERM's word for all colours where numbers are written as expected, and not in GNU screen")
    func colorterm() {
        #expect(depth(256, ["COLORTERM": "truecolor"]) == .rewritten)
        #expect(depth(256, ["COLORTERM": "24bit"]) == .rewritten)
        #expect(depth(256, ["COLORTERM": "1"]) == .indexed)
        #expect(depth(256, term: "screen-256color", ["COLORTERM": "truecolor"]) == .indexed)
        #expect(depth(256, numbering: nil, ["COLORTERM": "truecolor"]) == .indexed)
        #expect(depth(8, ["COLORTERM": "truecolor"]) == .eight)
    }

    @Test("obeys NO_COLOR", arguments: [8, 16, 256, 1 << 24]) func noColour(colours: Int) {
        #expect(depth(colours, direct: colours > 256, ["NO_COLOR": "1", "COLORTERM": "truecolor"]) == .none)
    }
}
