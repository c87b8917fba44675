internal import AudioEngine
internal import SessionLibrary
internal import Subtitles
internal import WireProtocol

extension MediaCheck {
    /// By the readers that play them.
    static let real = MediaCheck(
        cueDigest: { path throws(Fault) in
            do throws(SubtitleFault) {
                return CueBundle.digest(of: try SubtitleFile.document(path).cues)
            } catch {
                throw Fault(error.reason)
            }
        },
        duration: { path throws(Fault) in
            do throws(EngineError.Fault) {
                return try StreamingAudioEngine.duration(of: path)
            } catch {
                throw Fault(error.reason)
            }
        })

    /// The same, with subtitles in `encoding` kept in UTF-8.
    static func real(encoding: String?) -> MediaCheck {
        guard let encoding else { return real }
        var check = real
        check.converted = { path throws(Fault) in
            do throws(SubtitleFault) {
                return try SubtitleFile.converted(path, encoding: encoding)
            } catch {
                throw Fault("\(error.reason) (read as \(SafeText.line(encoding)))")
            }
        }
        return check
    }
}
