internal import Conformance
internal import LinuxSystem
internal import TerminalUI
internal import WireProtocol

/// Recordings as they lie on the disk.
enum RecordingFiles {
    /// Where this project keeps its own, seen from its root.
    static let standardFolder = "Protocol/recordings"
    private static let maximumBytes = 64 << 20

    /// The recordings of a file, or of a folder's `.jsonl` files in the order of their names; `nil` is the standard folder.
    ///
    /// - Throws: `Failure`: `usage` for what is not there, `badData` with file and line for what is no recording.
    static func read(_ named: String?, only names: [String]) throws(Failure) -> [Recording] {
        let path = named ?? standardFolder
        let files = Files.names(in: path).filter { $0.hasSuffix(".jsonl") }.sorted().map { "\(path)/\($0)" }
        guard !files.isEmpty || Files.exists(path) else {
            let advice =
                named == nil
                ? " in this folder. Start in the project's folder, or name a folder of recordings, or one"
                : ". Name a folder of recordings, or one"
            throw Failure(.usage, "There is no \(SafeText.line(path))\(advice), with --recordings.")
        }
        guard !files.isEmpty || !Files.isFolder(path) else {
            throw Failure(.usage, "\(SafeText.line(path)) holds no recordings: no file in it ends in .jsonl.")
        }
        var recordings: [Recording] = []
        for file in files.isEmpty ? [path] : files { recordings.append(try read(file)) }
        if let missing = names.first(where: { name in !recordings.contains { $0.name == name } }) {
            throw Failure(.usage, "There is no recording \(SafeText.line(missing)) in \(SafeText.line(path)).")
        }
        return names.isEmpty ? recordings : recordings.filter { names.contains($0.name) }
    }

    private static func read(_ file: String) throws(Failure) -> Recording {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.read(file, maximumBytes: maximumBytes)
        } catch {
            throw Failure(.badData, "\(SafeText.line(error.sentence)).")
        }
        do throws(RecordingError) {
            return try Recording(reading: bytes)
        } catch {
            throw Failure(.badData, "\(SafeText.line(file)), line \(error.line): \(SafeText.line(error.reason)).")
        }
    }
}
