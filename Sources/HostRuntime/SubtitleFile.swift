internal import Charset
internal import LinuxSystem
internal import Subtitles
internal import TerminalUI
internal import WireProtocol

/// Reads a subtitle file, or says in one sentence why not.
enum SubtitleFile {
    /// Cues that make a bundle of more than `maximumBundleBytes` are refused, as remotes would refuse it.
    ///
    /// `encoding` is what the file is in; without it that is seen or guessed.
    /// - Throws: `Failure` with code `badData` and the path in its sentence.
    static func read(
        _ path: String, encoding: String? = nil, maximumBundleBytes: Int = Limits.cueBundleBytes
    ) throws(Failure) -> SubtitleDocument {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try Files.read(path, maximumBytes: SubtitleReader.maximumBytes)
        } catch {
            throw Failure(.badData, "The subtitles cannot be read: \(SafeText.line(error.sentence)). Check the path.")
        }
        let document: SubtitleDocument
        do throws(SubtitleError) {
            document = try SubtitleReader.read(bytes, pages: SystemCodePages(), encoding: encoding)
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
