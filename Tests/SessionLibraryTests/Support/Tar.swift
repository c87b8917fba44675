/// A tar archive (POSIX ustar), of entries that no honest program would write.
struct Tar {
    private(set) var bytes: [UInt8] = []

    /// Adds an entry; `size` is what its header claims.
    mutating func add(_ name: String, _ content: [UInt8], type: Character = "0", link: String = "", size: Int? = nil) {
        var header = [UInt8](repeating: 0, count: 512)
        func put(_ text: String, at offset: Int) {
            for (index, byte) in text.utf8.enumerated() { header[offset + index] = byte }
        }
        func octal(_ number: Int, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(0, digits - text.count)) + text
        }
        put(name, at: 0)
        put("0000644", at: 100)
        put("0000000", at: 108)
        put("0000000", at: 116)
        put(octal(size ?? content.count, 11), at: 124)
        put("00000000000", at: 136)
        put("        ", at: 148)
        put(String(type), at: 156)
        put(link, at: 157)
        put("ustar", at: 257)
        put("00", at: 263)
        put(octal(header.reduce(0) { $0 + Int($1) }, 6) + "\0 ", at: 148)
        bytes += header + content
        bytes += [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }

    mutating func end() { bytes += [UInt8](repeating: 0, count: 1_024) }
}
