internal import LinuxSystem
internal import Subtitles
internal import TerminalUI
internal import WireProtocol

/// Reads a subtitle file, or says in one sentence why not.
enum SubtitleFile {
    /// - Throws: `Failure` with code `badData` and the path in its sentence.
    static func read(_ path: String) throws(Failure) -> SubtitleDocument {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.read(path, maximumBytes: SubtitleReader.maximumBytes)
        } catch {
            throw Failure(.badData, "The subtitles cannot be read: \(SafeText.line(error.sentence)). Check the path.")
        }
        do throws(SubtitleError) {
            return try SubtitleReader.read(bytes)
        } catch {
            throw Failure(.badData, "\(SafeText.line(path)) gives no subtitles: \(error.reason). Give another file.")
        }
    }
}
