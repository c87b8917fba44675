internal import Glibc
internal import LinuxSystem

/// What an MP3's encoder notes in a frame of its own before the sound: how many samples are the film's.
///
/// libavformat reads it as well, but cuts the end off only where a file is played through.
struct GaplessTag {
    /// Packets behind the tag.
    var packets: Int64
    /// Samples that the encoder has put before the sound and behind it.
    var delay: Int64
    var padding: Int64

    /// What a decoder adds before the sound: the filter bank's 528 samples and one.
    static let decoderDelay: Int64 = 529

    /// Samples of the film in packets of `length`.
    func samples(packet length: Int64) -> Int64 {
        packets * length - delay - padding
    }

    /// The tag of the file at `path` in the bytes before its first packet of sound, at `start`; `nil` where there is none.
    init?(path: String, before start: Int64) {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        if raw < 0 { return nil }
        let file = FileDescriptor(owning: raw)
        // The longest frame: 320 kbit/s at 32 kHz.
        let size = min(2_881, start)
        var bytes = [UInt8](repeating: 0, count: Int(size))
        let got = bytes.withUnsafeMutableBytes { pread(file.raw, $0.baseAddress, $0.count, off_t(start - size)) }
        guard got == bytes.count else { return nil }
        self.init(bytes)
    }

    /// Reads the newest tag in `bytes`: a name, flags, and what these announce; behind it the encoder's name and its note.
    init?(_ bytes: [UInt8]) {
        func number(_ place: Int, _ count: Int) -> Int64? {
            guard place + count <= bytes.count else { return nil }
            return bytes[place..<place + count].reduce(0) { $0 << 8 | Int64($1) }
        }
        func text(_ place: Int) -> String? {
            place + 4 > bytes.count ? nil : String(decoding: bytes[place..<place + 4], as: UTF8.self)
        }
        guard let tag = bytes.indices.last(where: { ["Xing", "Info"].contains(text($0)) }),
            let flags = number(tag + 4, 4), flags & 1 != 0, let packets = number(tag + 8, 4), packets > 0
        else { return nil }
        // Packets, bytes, a table of contents, a quality.
        let sizes = [4, 4, 100, 4]
        let encoder = tag + 8 + (0..<4).reduce(0) { $0 + (flags >> Int64($1) & 1 == 0 ? 0 : sizes[$1]) }
        guard ["LAME", "Lavf", "Lavc"].contains(text(encoder)), let gaps = number(encoder + 21, 3) else { return nil }
        self.packets = packets
        delay = gaps >> 12
        padding = gaps & 0xFFF
    }
}
