internal import CFFmpeg
internal import Glibc
internal import LinuxSystem
internal import Synchronization

/// An open media file, of which only one audio stream is read.
final class Demuxer {
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let stream: UnsafeMutablePointer<AVStream>
    /// The smallest timestamp seen in the first packet: where a rewind goes to.
    private var firstTimestamp: Int64?
    /// Lets another thread end a long read; libavformat asks it between blocks.
    let interrupt: Interrupt

    /// The demuxers a track may need.
    ///
    /// Play lists, devices and network formats stay out: a track is one local file.
    private static let formats = "mov,mp3,flac,ogg,wav,w64,matroska,aac,aiff,caf,ac3,eac3"

    /// - Throws: the fault; the file is closed again.
    init(path: String) throws(EngineError.Fault) {
        try Demuxer.requireRegularFile(path)
        // What the libraries have to say reaches us as error numbers.
        av_log_set_level(AV_LOG_QUIET)
        let interrupt = Interrupt()
        self.interrupt = interrupt
        guard let context = avformat_alloc_context() else { throw .unreadable(LibAVError.outOfMemory.reason) }
        context.pointee.interrupt_callback = AVIOInterruptCB(
            callback: isInterrupted, opaque: Unmanaged.passUnretained(interrupt).toOpaque())
        var options: OpaquePointer?
        av_dict_set(&options, "format_whitelist", Demuxer.formats, 0)
        av_dict_set(&options, "protocol_whitelist", "file", 0)
        defer { av_dict_free(&options) }
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        // The prefix keeps a name like `http:x` a name of a file. On failure the context is freed by the call.
        let code = avformat_open_input(&opened, NativePath.bytes(of: "file:" + path), nil, &options)
        guard code >= 0, let opened else {
            throw code == ALLSPEAK_AVERROR_INVALIDDATA || code == ALLSPEAK_AVERROR_EINVAL
                || code == ALLSPEAK_AVERROR_EOF
                ? .notAudio : .unreadable(LibAVError(code: code).reason)
        }
        do throws(EngineError.Fault) {
            stream = try Demuxer.chooseStream(of: opened)
        } catch {
            self.context = nil
            var closing: UnsafeMutablePointer<AVFormatContext>? = opened
            avformat_close_input(&closing)
            throw error
        }
        self.context = opened
        try requireWholeFile()
    }

    deinit {
        avformat_close_input(&context)
    }

    /// The MP3 demuxer guesses positions from the bit rate as long as it knows a duration; without, it counts frames.
    func forgetDuration() {
        stream.pointee.duration = ALLSPEAK_AV_NOPTS
    }

    var isMP3: Bool { context?.pointee.iformat.pointee.name.map { String(cString: $0) == "mp3" } ?? false }
    var parameters: UnsafeMutablePointer<AVCodecParameters> { stream.pointee.codecpar }
    var timeBase: AVRational { stream.pointee.time_base }

    /// Whether the length is the chosen stream's own, to be relied on.
    var isDurationExact: Bool {
        stream.pointee.duration > 0 || av_dict_get(stream.pointee.metadata, "DURATION", nil, 0) != nil
    }

    /// Whether nobody has told the length: it would have to be guessed from the size and the bit rate.
    var isDurationGuessed: Bool {
        context?.pointee.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE
    }

    /// The length in seconds by reading the file to its end; the reader stands there afterwards.
    func measureDuration() throws(LibAVError) -> Double {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        guard let packet else { throw .outOfMemory }
        try rewind()
        var total: Int64 = 0
        while try read(into: packet) { total += packet.pointee.duration }
        return Double(total) * Double(timeBase.num) / Double(timeBase.den)
    }

    /// The stream's length in seconds as the file tells it, `nil` where it does not.
    var duration: Double? {
        let base = timeBase
        if stream.pointee.duration > 0 {
            return Double(stream.pointee.duration) * Double(base.num) / Double(base.den)
        }
        if let text = av_dict_get(stream.pointee.metadata, "DURATION", nil, 0)?.pointee.value {
            var microseconds: Int64 = 0
            if av_parse_time(&microseconds, text, 1) >= 0, microseconds > 0 { return Double(microseconds) / 1e6 }
        }
        guard let context, context.pointee.duration > 0 else { return nil }
        return Double(context.pointee.duration) / Double(AV_TIME_BASE)
    }

    /// The next packet of the stream; `false` at the end of the file.
    func read(into packet: UnsafeMutablePointer<AVPacket>) throws(LibAVError) -> Bool {
        while true {
            av_packet_unref(packet)
            let code = av_read_frame(context, packet)
            if code == ALLSPEAK_AVERROR_EOF { return false }
            if code == ALLSPEAK_AVERROR_EAGAIN { continue }
            try checked(code)
            guard packet.pointee.stream_index == stream.pointee.index else { continue }
            if firstTimestamp == nil {
                let stamps = [packet.pointee.pts, packet.pointee.dts].filter { $0 != ALLSPEAK_AV_NOPTS }
                firstTimestamp = stamps.min() ?? 0
            }
            return true
        }
    }

    /// Stands before the last packet at or before `timestamp`, in units of `timeBase`; `false` where there is no way there.
    func seek(to timestamp: Int64) throws(LibAVError) -> Bool {
        forgetErrors()
        let code = av_seek_frame(context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD)
        if code == ALLSPEAK_AVERROR_EXIT { throw .interrupted }
        return code >= 0
    }

    /// Stands before the first packet.
    func rewind() throws(LibAVError) {
        forgetErrors()
        try checked(av_seek_frame(context, stream.pointee.index, firstTimestamp ?? 0, AVSEEK_FLAG_BACKWARD))
    }

    /// What an interrupted read has left would otherwise end a later one.
    private func forgetErrors() {
        context?.pointee.pb?.pointee.error = 0
        context?.pointee.pb?.pointee.eof_reached = 0
    }

    private static func requireRegularFile(_ path: String) throws(EngineError.Fault) {
        var status = stat()
        let native = NativePath.bytes(of: path)
        guard stat(native, &status) == 0 else {
            throw errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(String(cString: strerror(errno)))
        }
        if status.st_mode & S_IFMT == S_IFDIR { throw .unreadable("it is a folder") }
        if status.st_mode & S_IFMT != S_IFREG { throw .unreadable("it is not a regular file") }
        if access(native, R_OK) != 0 { throw .unreadable(String(cString: strerror(errno))) }
    }

    /// Picks the audio stream and has the others skipped: covers are video streams, chapters text ones.
    private static func chooseStream(
        of context: UnsafeMutablePointer<AVFormatContext>
    ) throws(EngineError.Fault) -> UnsafeMutablePointer<AVStream> {
        let streams = UnsafeBufferPointer(start: context.pointee.streams, count: Int(context.pointee.nb_streams))
            .compactMap(\.self)
        let sounds = streams.filter { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_AUDIO }
        // Most containers say all that is needed in their header; only then may the slow analysis be left out.
        let known =
            !sounds.isEmpty
            && sounds.allSatisfy {
                $0.pointee.codecpar.pointee.sample_rate > 0
                    && $0.pointee.codecpar.pointee.ch_layout.nb_channels > 0
            }
        if !known { avformat_find_stream_info(context, nil) }
        let index = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
        guard index >= 0, let chosen = context.pointee.streams[Int(index)] else {
            throw streams.isEmpty ? .notAudio : .noAudioStream
        }
        for stream in streams where stream != chosen { stream.pointee.discard = AVDISCARD_ALL }
        return chosen
    }

    /// Refuses a file whose index points past its end: it would fall silent in the middle of the film.
    private func requireWholeFile() throws(EngineError.Fault) {
        let count = avformat_index_get_entries_count(stream)
        guard count > 0, let last = avformat_index_get_entry(stream, count - 1), let context else { return }
        let size = avio_size(context.pointee.pb)
        if size > 0, last.pointee.pos + Int64(last.pointee.size) > size { throw .truncated }
    }
}

/// A flag that libavformat looks at while it reads.
final class Interrupt: Sendable {
    private let raised = Atomic(false)

    var isRaised: Bool {
        get { raised.load(ordering: .relaxed) }
        set { raised.store(newValue, ordering: .relaxed) }
    }
}

private func isInterrupted(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<Interrupt>.fromOpaque(context).takeUnretainedValue().isRaised ? 1 : 0
}
