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
        do throws(SubtitleFault) {
            return try document(path, encoding: encoding, maximumBundleBytes: maximumBundleBytes)
        } catch {
            let name = SafeText.line(path)
            switch error {
            case .unreadable(let reason):
                throw Failure(.badData, "The subtitles cannot be read: \(name): \(reason). Check the path.")
            case .noCues, .tooMany:
                throw Failure(.badData, "\(name) \(error.reason). Give another file.")
            }
        }
    }

    /// The same, with the fault for who words it differently.
    static func document(
        _ path: String, encoding: String? = nil, maximumBundleBytes: Int = Limits.cueBundleBytes
    ) throws(SubtitleFault) -> SubtitleDocument {
        return try document(of: Self.bytes(path), encoding: encoding, maximumBundleBytes: maximumBundleBytes)
    }

    /// The file's content in UTF-8, known to give cues.
    static func converted(_ path: String, encoding: String) throws(SubtitleFault) -> [UInt8] {
        let content = try bytes(path)
        _ = try document(of: content, encoding: encoding)
        do throws(SubtitleError) {
            return try SubtitleReader.utf8(of: content, pages: SystemCodePages(), encoding: encoding)
        } catch {
            throw .noCues(error.reason)
        }
    }

    private static func bytes(_ path: String) throws(SubtitleFault) -> [UInt8] {
        do throws(SystemError) {
            return try Files.read(path, maximumBytes: SubtitleReader.maximumBytes)
        } catch {
            throw .unreadable(SafeText.line(error.reason))
        }
    }

    private static func document(
        of bytes: [UInt8], encoding: String?, maximumBundleBytes: Int = Limits.cueBundleBytes
    ) throws(SubtitleFault) -> SubtitleDocument {
        let document: SubtitleDocument
        do throws(SubtitleError) {
            document = try SubtitleReader.read(bytes, pages: SystemCodePages(), encoding: encoding)
        } catch {
            throw .noCues(error.reason)
        }
        guard CueBundle.isSmallEnough(document.cues, maximumBytes: maximumBundleBytes) else {
            throw .tooMany(document.cues.count)
        }
        return document
    }
}

/// Why a file cannot be a session's subtitles.
enum SubtitleFault: Error, Equatable {
    case unreadable(String)
    case noCues(String)
    case tooMany(Int)

    /// In words that follow the file's name.
    var reason: String {
        switch self {
        case .unreadable(let reason): "cannot be read: \(reason)"
        case .noCues(let reason): "gives no subtitles: \(reason)"
        case .tooMany(let count): "has \(count) lines, more than a remote takes"
        }
    }
}
