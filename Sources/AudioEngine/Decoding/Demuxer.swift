internal import CFFmpeg
internal import Glibc
internal import LinuxSystem

/// An open media file, of which only one audio stream is read.
final class Demuxer {
    private var context: UnsafeMutablePointer<AVFormatContext>?
    private let stream: UnsafeMutablePointer<AVStream>
    private let path: String
    /// The smallest timestamp seen in the first packet: where a rewind goes to.
    private var firstTimestamp: Int64?
    /// The first packet's length on the stream's clock, and its place in the file.
    private(set) var packetDuration: Int64 = 0
    private var firstPosition: Int64 = 0
    /// What an MP3's encoder has noted.
    private(set) var gaplessTag: GaplessTag?
    /// Where the packets lie, in a file that is nothing but packets.
    private var map: PacketMap?
    /// The timestamp of the next packet, where it was reached by its place in the file.
    private var nextTimestamp: Int64?
    let interrupt: Interrupt
    /// What the file says about the stream's length.
    let toldLength: ToldLength

    /// The demuxers a track may need.
    ///
    /// Play lists, devices and network formats stay out: a track is one local file.
    private static let formats = "mov,mp3,flac,ogg,wav,w64,matroska,aac,aiff,caf,ac3,eac3"

    /// - Throws: the fault; the file is closed again.
    init(path: String, interrupt: Interrupt) throws(EngineError.Fault) {
        try Demuxer.requireRegularFile(path)
        self.path = path
        // What the libraries have to say reaches us as error numbers.
        av_log_set_level(AV_LOG_QUIET)
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
        toldLength = Demuxer.toldLength(of: stream, in: opened)
        // The MP3 demuxer guesses positions from the bit rate as long as it knows a duration; without, it counts frames.
        if formatName == "mp3" { stream.pointee.duration = ALLSPEAK_AV_NOPTS }
        // It grows with what is read, is thinned out from the front when it is full, and is not needed beside a map.
        if packetKind != nil { opened.pointee.max_index_size = 1 << 16 }
        try requireWholeFile()
    }

    deinit {
        avformat_close_input(&context)
    }

    /// Whether the file has an index that is read whole when it is opened.
    var hasIndexInFile: Bool { formatName.hasPrefix("mov,") }
    /// Bytes of memory that the index takes.
    var indexSize: Int { Int(avformat_index_get_entries_count(stream)) * MemoryLayout<AVIndexEntry>.stride }

    private var packetKind: PacketMap.Kind? {
        switch formatName {
        case "mp3" where parameters.pointee.codec_id == AV_CODEC_ID_MP3: .mp3
        case "aac": .adts
        default: nil
        }
    }

    var formatName: String { context?.pointee.iformat.pointee.name.map { String(cString: $0) } ?? "" }
    var parameters: UnsafeMutablePointer<AVCodecParameters> { stream.pointee.codecpar }
    var timeBase: AVRational { stream.pointee.time_base }

    /// Whether the file says when its first sample is due: MP4 by an edit list, Matroska by its timestamps.
    ///
    /// Packets from 0 on do not say it in Matroska, where Vorbis' first packet gives no sound, nor in an MP4 that tells its
    /// encoder's delay in iTunes' way only. Known once a packet has been read.
    var hasTimeLine: Bool {
        if formatName.hasPrefix("matroska,") { return firstTimestamp != 0 }
        guard hasIndexInFile else { return false }
        return firstTimestamp != 0 || av_dict_get(context?.pointee.metadata, "iTunSMPB", nil, 0) == nil
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
                packetDuration = packet.pointee.duration
                if let kind = packetKind, packetDuration > 0, packet.pointee.pos >= 0 {
                    firstPosition = packet.pointee.pos
                    map = PacketMap(path: path, kind: kind, start: firstPosition)
                    if kind == .mp3 { gaplessTag = GaplessTag(path: path, before: firstPosition) }
                }
            }
            if let stamp = nextTimestamp {
                packet.pointee.pts = stamp
                packet.pointee.dts = stamp
                nextTimestamp = stamp + packetDuration
            }
            return true
        }
    }

    /// Stands before a packet at or before `timestamp`, in units of `timeBase`; `false` where there is no way there.
    func seek(to timestamp: Int64) throws(LibAVError) -> Bool {
        forgetErrors()
        if let first = firstTimestamp, packetDuration > 0,
            let place = try map?.place(before: (timestamp - first) / packetDuration, interrupt)
        {
            return try seek(toByte: place.position, timestamp: first + place.number * packetDuration)
        }
        if let picture, !isIndexed(timestamp) {
            let place = timeBase.rescale(timestamp, to: picture.pointee.time_base)
            let code = av_seek_frame(context, picture.pointee.index, place, AVSEEK_FLAG_BACKWARD)
            if code == ALLSPEAK_AVERROR_EXIT { throw .interrupted }
            if code >= 0 { return true }
        }
        let code = av_seek_frame(context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD)
        if code == ALLSPEAK_AVERROR_EXIT { throw .interrupted }
        return code >= 0
    }

    /// Whether the stream's own index reaches beyond `timestamp`.
    private func isIndexed(_ timestamp: Int64) -> Bool {
        let entry = av_index_search_timestamp(stream, timestamp, AVSEEK_FLAG_BACKWARD)
        return entry >= 0 && entry < avformat_index_get_entries_count(stream) - 1
    }

    /// The film's picture in a Matroska file, whose index as a rule lists nothing else: libavformat would read all of the
    /// film to find a place in the sound.
    private var picture: UnsafeMutablePointer<AVStream>? {
        guard let context, formatName.hasPrefix("matroska,") else { return nil }
        return UnsafeBufferPointer(start: context.pointee.streams, count: Int(context.pointee.nb_streams))
            .compactMap(\.self)
            .first {
                $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO
                    && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
            }
    }

    private func seek(toByte position: Int64, timestamp: Int64) throws(LibAVError) -> Bool {
        let code = av_seek_frame(context, stream.pointee.index, position, AVSEEK_FLAG_BYTE)
        if code == ALLSPEAK_AVERROR_EXIT { throw .interrupted }
        nextTimestamp = timestamp
        return code >= 0
    }

    /// Stands before the first packet.
    func rewind() throws(LibAVError) {
        forgetErrors()
        if map != nil, let firstTimestamp {
            guard try seek(toByte: firstPosition, timestamp: firstTimestamp) else { throw .truncated }
            return
        }
        try checked(av_seek_frame(context, stream.pointee.index, firstTimestamp ?? 0, AVSEEK_FLAG_BACKWARD))
    }

    /// The whole length on the stream's clock by counting packets; `nil` where that cannot be done, or not quickly.
    func countPackets() throws(LibAVError) -> Int64? {
        guard let map else { return nil }
        return try map.total(interrupt) * packetDuration
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

private func isInterrupted(_ context: UnsafeMutableRawPointer?) -> Int32 {
    guard let context else { return 0 }
    return Unmanaged<Interrupt>.fromOpaque(context).takeUnretainedValue().isDue() ? 1 : 0
}
