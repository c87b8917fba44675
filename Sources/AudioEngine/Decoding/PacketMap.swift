internal import Glibc
internal import LinuxSystem

/// Where the packets of a file lie that is nothing but packets, one after the other: MP3, and AAC in ADTS.
///
/// Such a file has no index, or one of a hundred places, and libavformat reads every packet up to a target. Here only the
/// headers are looked at, no further than is needed, and a place is noted down every now and then.
final class PacketMap {
    /// How the first bytes of a packet tell its length.
    enum Kind {
        case mp3
        case adts

        static let headerSize = 7
    }

    /// Packets between two places noted down: half a second of sound or more.
    private static let stride: Int64 = 32
    /// Bytes read at once.
    private static let blockSize = 1 << 18

    private let file: FileDescriptor
    private let kind: Kind
    private let size: Int64
    /// What all the headers have in common.
    private var signature: UInt32?
    private var places: [Int64] = []
    /// The packets seen so far, and where the next one begins.
    private var count: Int64 = 0
    private var next: Int64
    private var isComplete = false
    /// Something else was found where a packet should begin, and none has been found since.
    private var isLost = false

    /// A map of the file at `path`, whose first packet begins at byte `start`; `nil` where it cannot be opened.
    init?(path: String, kind: Kind, start: Int64) {
        let raw = open(path, O_RDONLY | O_CLOEXEC)
        if raw < 0 { return nil }
        file = FileDescriptor(owning: raw)
        var status = stat()
        fstat(raw, &status)
        size = Int64(status.st_size)
        self.kind = kind
        next = start
    }

    /// The number of packets.
    func total(_ interrupt: Interrupt) throws(LibAVError) -> Int64 {
        try extend(beyond: .max, interrupt)
        return count
    }

    /// A packet at or a little before the `number`th, and its place in the file; `nil` where there is none.
    func place(
        before number: Int64, _ interrupt: Interrupt
    ) throws(LibAVError) -> (number: Int64, position: Int64)? {
        try extend(beyond: number, interrupt)
        if places.isEmpty { return nil }
        let entry = min(max(0, number) / PacketMap.stride, Int64(places.count) - 1)
        return (entry * PacketMap.stride, places[Int(entry)])
    }

    /// Looks at headers until the `number`th packet has been passed; what it has found when it is interrupted stays.
    private func extend(beyond number: Int64, _ interrupt: Interrupt) throws(LibAVError) {
        if isComplete || number < count { return }
        var block = [UInt8](repeating: 0, count: PacketMap.blockSize)
        while count <= number && !isComplete {
            if interrupt.isDue() { throw .interrupted }
            let from = next
            let got = block.withUnsafeMutableBytes { pread(file.raw, $0.baseAddress, $0.count, off_t(from)) }
            if got < 0 { throw LibAVError(code: -errno) }
            block.withUnsafeBufferPointer { scan(UnsafeBufferPointer(rebasing: $0[..<got]), from: from) }
        }
    }

    private func scan(_ block: UnsafeBufferPointer<UInt8>, from start: Int64) {
        let isLast = start + Int64(block.count) >= size
        while true {
            guard let header = header(in: block, at: Int(next - start)) else {
                // Not in this block, or nowhere.
                isComplete = isLast
                return
            }
            if header.length == 0 {
                isLost = true
                next += 1
                continue
            }
            let end = next + header.length
            if isLost {
                // Any bytes may look like a header; two at the right distance are taken for it.
                guard let second = self.header(in: block, at: Int(end - start)) else {
                    isComplete = isLast
                    return
                }
                isLost = second.length == 0
                if isLost {
                    next += 1
                    continue
                }
            }
            if end > size {
                isComplete = true
                return
            }
            signature = header.signature
            if count % PacketMap.stride == 0 { places.append(next) }
            count += 1
            next = end
        }
    }

    /// The header at `offset`, of length 0 where there is something else; `nil` where it does not lie in the block.
    private func header(
        in block: UnsafeBufferPointer<UInt8>, at offset: Int
    ) -> (length: Int64, signature: UInt32)? {
        if offset + PacketMap.Kind.headerSize > block.count { return nil }
        var word: UInt32 = 0
        for index in 0..<4 { word = word << 8 | UInt32(block[offset + index]) }
        guard let header = kind.read(word, (block[offset + 4], block[offset + 5], block[offset + 6])),
            signature == nil || header.signature == signature
        else { return (0, 0) }
        return header
    }
}

extension PacketMap.Kind {
    /// A packet's length in bytes, and what all packets of the file have in common; `nil` where that is no header.
    ///
    /// It begins with `word`, and goes on with `rest`.
    fileprivate func read(
        _ word: UInt32, _ rest: (UInt8, UInt8, UInt8)
    ) -> (length: Int64, signature: UInt32)? {
        switch self {
        case .mp3: PacketMap.Kind.readMP3(word)
        case .adts: PacketMap.Kind.readADTS(word, rest)
        }
    }

    /// ISO/IEC 11172-3, 2.4.2.3, and 13818-3: kbit/s of layer III, of MPEG-1 and of MPEG-2.
    private static let bitRates: [Int64] = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let lowBitRates: [Int64] = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    private static let samplingRates: [Int64] = [44_100, 48_000, 32_000]

    /// ISO/IEC 11172-3, 2.4.1.3: sync, version, layer III, bit rate, sampling rate, padding.
    private static func readMP3(_ word: UInt32) -> (length: Int64, signature: UInt32)? {
        let version = word >> 19 & 3
        let rate = Int(word >> 12 & 15) - 1
        let sampling = Int(word >> 10 & 3)
        guard word >> 21 == 0x7FF, word >> 17 & 3 == 1, version != 1, bitRates.indices.contains(rate), sampling < 3
        else { return nil }
        let padding = Int64(word >> 9 & 1)
        let signature = word & 0xFFFE_0C00
        if version == 3 { return (144_000 * bitRates[rate] / samplingRates[sampling] + padding, signature) }
        let hertz = samplingRates[sampling] / (version == 2 ? 2 : 4)
        return (72_000 * lowBitRates[rate] / hertz + padding, signature)
    }

    /// ISO/IEC 13818-7, 6.2: sync, profile, sampling rate, 13 bits of length; one block of data in a packet.
    private static func readADTS(
        _ word: UInt32, _ rest: (UInt8, UInt8, UInt8)
    ) -> (length: Int64, signature: UInt32)? {
        guard word >> 20 == 0xFFF, word >> 17 & 3 == 0, rest.2 & 3 == 0 else { return nil }
        let length = Int64(word & 3) << 11 | Int64(rest.0) << 3 | Int64(rest.1) >> 5
        return length < Int64(headerSize) ? nil : (length, word & 0xFFFE_FC00)
    }
}
