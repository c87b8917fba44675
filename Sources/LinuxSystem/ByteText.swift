/// Numbers of bytes for people.
package enum ByteText {
    /// `512 bytes`, `1.5 MB`, `233 MB`: decimal units, as disks are sold.
    package static func size(_ bytes: Int) -> String {
        guard bytes >= 1_000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
        var value = Double(bytes) / 1_000
        var unit = "kB"
        for next in ["MB", "GB", "TB"] where value >= 999.5 {
            value /= 1_000
            unit = next
        }
        guard value < 9.95 else { return "\(Int(value.rounded())) \(unit)" }
        let tenths = Int((value * 10).rounded())
        return "\(tenths / 10).\(tenths % 10) \(unit)"
    }
}
