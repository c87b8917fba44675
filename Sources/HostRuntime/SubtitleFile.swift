internal import LinuxSystem
internal import Subtitles
internal import TerminalUI
internal import WireProtocol

/// Reads a subtitle file, or says in one sentence why not.
enum SubtitleFile {
    /// Cues that make a bundle of more than `maximumBundleBytes` are refused, as remotes would refuse it.
    /// - Throws: `Failure` with code `badData` and the path in its sentence.
    static func read(
        _ path: String, maximumBundleBytes: Int = Limits.cueBundleBytes
    ) throws(Failure) -> SubtitleDocument {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.read(path, maximumBytes: SubtitleReader.maximumBytes)
        } catch {
            throw Failure(.badData, "The subtitles cannot be read: \(SafeText.line(error.sentence)). Check the path.")
        }
        let document: SubtitleDocument
        do throws(SubtitleError) {
            document = try SubtitleReader.read(bytes)
        } catch {
            throw Failure(.badData, "\(SafeText.line(path)) gives no subtitles: \(error.reason). Give another file.")
        }
        guard CueBundle.isSmallEnough(document.cues, maximumBytes: maximumBundleBytes) else {
            let count = document.cues.count
            throw Failure(
                .badData,
                "\(SafeText.line(path)) has \(count) lines, more than a remote takes. Give another file.")
        }
        return document
    }
}
