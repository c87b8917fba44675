import Testing
import WireProtocol

func json(_ text: String) throws(JSONError) -> JSONValue {
    try JSONReader.value(of: Array(text.utf8))
}

/// The JSON that `body` writes, as text.
func written(_ body: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    body(&writer)
    return String(decoding: writer.bytes, as: UTF8.self)
}

extension [UInt8] {
    /// The bytes as text, for comparisons that print well.
    var text: String { String(decoding: self, as: UTF8.self) }
}

/// A small generator (SplitMix64) with a fixed seed, so that a failure comes back on every run.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
