import Foundation
import TestKit

/// Changes the boxes of an MP4, as programs do that ffmpeg is not.
enum MP4 {
    /// A box: four bytes of size, four of name, and the rest.
    private static func box(_ name: String, _ content: Data) -> Data {
        bigEndian(UInt32(content.count + 8)) + Data(name.utf8) + content
    }

    private static func bigEndian(_ value: UInt32) -> Data {
        withUnsafeBytes(of: value.bigEndian) { Data($0) }
    }

    /// Adds iTunes' note of an encoder's delay, its padding at the end, and what lies between, in samples.
    ///
    /// The file has to end with `moov`.
    static func adding(iTunSMPB delay: Int, padding: Int, samples: Int, to file: Data) throws -> Data {
        let numbers = [0, delay, padding].map { String(format: " %08X", $0) }.joined()
        let note = numbers + String(format: " %016X", samples) + String(repeating: " 00000000", count: 8)
        let tag = box(
            "----",
            box("mean", Data(count: 4) + Data("com.apple.iTunes".utf8))
                + box("name", Data(count: 4) + Data("iTunSMPB".utf8))
                + box("data", bigEndian(1) + Data(count: 4) + Data(note.utf8)))
        let handler = box("hdlr", Data(count: 8) + Data("mdirappl".utf8) + Data(count: 9))
        let added = box("udta", box("meta", Data(count: 4) + handler + box("ilst", tag)))
        let place = try find("moov", in: file)
        var result = file + added
        result.replaceSubrange(place - 4..<place, with: bigEndian(UInt32(file.count - place + 4 + added.count)))
        return result
    }

    /// The file with another length in `box` (`mvhd` or `mdhd`), in that box's own units; both of version 0.
    static func setting(durationOf box: String, to duration: UInt32, in file: Data) throws -> Data {
        var result = file
        // Name, version and flags, two dates, the time scale.
        let place = try find(box, in: file) + 4 + 4 + 8 + 4
        result.replaceSubrange(place..<place + 4, with: bigEndian(duration))
        return result
    }

    private static func find(_ name: String, in file: Data) throws -> Int {
        guard let range = file.range(of: Data(name.utf8), options: .backwards) else { throw TestFailure("no \(name)") }
        return range.lowerBound
    }
}
