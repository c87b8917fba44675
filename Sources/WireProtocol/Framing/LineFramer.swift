/// Cuts a byte stream into frames: one line each, LF or CRLF, empty lines passed over.
package struct LineFramer: Sendable {
    package enum Frame: Equatable, Sendable {
        case line([UInt8])
        /// The line passed the limit; its bytes up to the next LF are discarded.
        case tooLarge
    }

    private let maximumBytes: Int
    private var pending: [UInt8] = []
    private var isDiscarding = false

    /// - Parameter maximumBytes: the longest frame with its LF.
    package init(maximumBytes: Int = Limits.frameBytes) {
        self.maximumBytes = maximumBytes
    }

    /// Bytes of an unfinished line.
    package var pendingBytes: Int { pending.count }

    /// Takes the next bytes, of any size, and hands each finished frame to `body`.
    package mutating func append(_ bytes: some Collection<UInt8>, _ body: (Frame) -> Void) {
        // A generic walk from another module is not specialised and costs 30-100 ns a byte.
        let wasContiguous: Void? = bytes.withContiguousStorageIfAvailable { append(contiguous: $0, body) }
        if wasContiguous == nil { Array(bytes).withUnsafeBufferPointer { append(contiguous: $0, body) } }
    }

    private mutating func append(contiguous bytes: UnsafeBufferPointer<UInt8>, _ body: (Frame) -> Void) {
        var rest = bytes[...]
        while let end = rest.firstIndex(of: 0x0A) {
            finishLine(rest[..<end], body)
            rest = rest[(end + 1)...]
        }
        guard !isDiscarding else { return }
        if pending.count + rest.count >= maximumBytes {
            pending = []
            isDiscarding = true
            body(.tooLarge)
        } else {
            pending.append(contentsOf: rest)
        }
    }

    private mutating func finishLine(_ tail: Slice<UnsafeBufferPointer<UInt8>>, _ body: (Frame) -> Void) {
        if isDiscarding {
            isDiscarding = false
            return
        }
        if pending.count + tail.count + 1 > maximumBytes {
            pending = []
            return body(.tooLarge)
        }
        var line = pending
        pending = []
        line.append(contentsOf: tail)
        if line.last == 0x0D { line.removeLast() }
        if !line.isEmpty { body(.line(line)) }
    }
}
