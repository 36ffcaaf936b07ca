internal import CAVFormat
internal import HelioCore

/// Writes one file with FFmpeg's muxers: a video track, and an audio track for each origin of sound.
///
/// Data since the last `flush` is lost if the program ends without `finish`; the file can be played up to that flush.
final class MediaMuxer {
    /// The time units per second for pictures.
    static let pictureScale: Int64 = 90_000
    static let soundScale: Int64 = 48_000
    private static let bufferSize: Int32 = 1 << 16

    private let file: RecordingFile
    private let container: RecordingContainer
    private let context: UnsafeMutablePointer<AVFormatContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    private var output: UnsafeMutablePointer<AVIOContext>?
    /// The muxer's time base of each track.
    private var scales: [AVRational] = []
    private var soundTracks: [SoundOrigin: Int] = [:]

    /// Starts a file by writing its header.
    ///
    /// Throws `unsupported` if FFmpeg has no muxer for the container or can't write the codec to it, and `systemFailed`
    /// if there is no memory or the file can't be written.
    init(
        _ file: RecordingFile, _ container: RecordingContainer, codec: VideoCodec, head: PictureHead,
        sound: [SoundOrigin]
    ) throws(HelioError) {
        av_log_set_level(AV_LOG_QUIET)
        var context: UnsafeMutablePointer<AVFormatContext>?
        avformat_alloc_output_context2(&context, nil, container.muxer, nil)
        guard let context else {
            throw HelioError(.unsupported, "FFmpeg was built without a muxer for \(container.muxer).")
        }
        guard let packet = av_packet_alloc() else { throw Self.noMemory }
        self.file = file
        self.container = container
        self.context = context
        self.packet = packet
        output = helio_avio_output(
            av_malloc(Int(Self.bufferSize))?.assumingMemoryBound(to: UInt8.self), Self.bufferSize,
            Unmanaged.passUnretained(file).toOpaque(),
            { opaque, bytes, count in
                guard let opaque, let bytes else { return helio_avio_failed() }
                let file = Unmanaged<RecordingFile>.fromOpaque(opaque).takeUnretainedValue()
                let isWritten = file.write(UnsafeRawBufferPointer(start: bytes, count: Int(count)))
                return isWritten ? count : helio_avio_failed()
            },
            { opaque, offset, whence in
                guard let opaque else { return -1 }
                let file = Unmanaged<RecordingFile>.fromOpaque(opaque).takeUnretainedValue()
                if whence & AVSEEK_SIZE != 0 { return file.size }
                let place =
                    switch whence & ~AVSEEK_FORCE {
                    case SEEK_CUR: file.place + offset
                    case SEEK_END: file.size + offset
                    default: offset
                    }
                return file.seek(to: place) ? place : -1
            })
        guard let output else { throw Self.noMemory }
        context.pointee.pb = output
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        try addPictures(codec, head)
        for origin in sound { try addSound(origin) }
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        switch container {
        case .mp4:
            // The flags make each flush end a fragment that can be played by itself.
            av_dict_set(&options, "movflags", "+empty_moov+default_base_moof+frag_custom", 0)
            av_dict_set(&options, "video_track_timescale", String(Self.pictureScale), 0)
        case .matroska:
            // The limit of 30 s is never reached, so that a cluster ends only at a flush.
            av_dict_set(&options, "cluster_time_limit", "30000", 0)
        }
        guard avformat_write_header(context, &options) >= 0 else {
            try file.seal()
            throw HelioError(.unsupported, "FFmpeg can't write \(codec.encodingName) to such a file.")
        }
        for index in 0..<Int(context.pointee.nb_streams) {
            scales.append(context.pointee.streams[index]?.pointee.time_base ?? AVRational(num: 1, den: 1))
        }
        avio_flush(output)
        try file.seal()
    }

    deinit {
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        av_packet_free(&packet)
        if output != nil {
            av_freep(&output!.pointee.buffer)
            avio_context_free(&output)
        }
        context.pointee.pb = nil
        avformat_free_context(context)
    }

    private static var noMemory: HelioError { HelioError(.systemFailed, "There is no memory to record with.") }

    private func addTrack() throws(HelioError) -> UnsafeMutablePointer<AVStream> {
        guard let stream = avformat_new_stream(context, nil) else { throw Self.noMemory }
        return stream
    }

    private func addPictures(_ codec: VideoCodec, _ head: PictureHead) throws(HelioError) {
        let stream = try addTrack()
        stream.pointee.time_base = AVRational(num: 1, den: Int32(Self.pictureScale))
        guard let track = stream.pointee.codecpar else { throw Self.noMemory }
        track.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        track.pointee.codec_id = codec == .h264 ? AV_CODEC_ID_H264 : AV_CODEC_ID_HEVC
        track.pointee.width = Int32(head.size.width)
        track.pointee.height = Int32(head.size.height)
        track.pointee.color_primaries = AVColorPrimaries(UInt32(head.color.primaries))
        track.pointee.color_trc = AVColorTransferCharacteristic(UInt32(head.color.transfer))
        track.pointee.color_space = AVColorSpace(UInt32(head.color.matrix))
        track.pointee.color_range = head.color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        if codec == .h265 {
            // Apple's players require this tag.
            track.pointee.codec_tag = "hvc1".utf8.reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
        try setHead(head.parameterSets, of: track)
    }

    private func addSound(_ origin: SoundOrigin) throws(HelioError) {
        let stream = try addTrack()
        soundTracks[origin] = Int(stream.pointee.index)
        stream.pointee.time_base = AVRational(num: 1, den: Int32(Self.soundScale))
        guard let track = stream.pointee.codecpar else { throw Self.noMemory }
        track.pointee.codec_type = AVMEDIA_TYPE_AUDIO
        track.pointee.codec_id = AV_CODEC_ID_OPUS
        track.pointee.sample_rate = Int32(Self.soundScale)
        av_channel_layout_default(&track.pointee.ch_layout, 2)
        // 80 ms in samples (RFC 7845 section 4.6).
        track.pointee.seek_preroll = 3840
        // The fields of RFC 7845 section 5.1: version, channels, pre-skip, rate, gain, mapping family.
        try setHead(Array("OpusHead".utf8) + [1, 2, 0, 0, 0x80, 0xBB, 0, 0, 0, 0, 0], of: track)
    }

    private func setHead(_ bytes: [UInt8], of track: UnsafeMutablePointer<AVCodecParameters>) throws(HelioError) {
        guard let data = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else { throw Self.noMemory }
        data.copyMemory(from: bytes, byteCount: bytes.count)
        track.pointee.extradata = data.assumingMemoryBound(to: UInt8.self)
        track.pointee.extradata_size = Int32(bytes.count)
    }

    /// Writes a picture; times are in units of 1/`pictureScale` s.
    func write(picture: [UInt8], at time: Int64, lasting duration: Int64, isKeyframe: Bool) {
        write(picture, to: 0, at: time, lasting: duration, scale: Self.pictureScale, isKeyframe: isKeyframe)
    }

    /// Writes a packet of sound; times are in units of 1/`soundScale` s.
    func write(sound: [UInt8], of origin: SoundOrigin, at time: Int64, lasting duration: Int64) {
        guard let track = soundTracks[origin] else { return }
        write(sound, to: track, at: time, lasting: duration, scale: Self.soundScale, isKeyframe: true)
    }

    private func write(
        _ bytes: [UInt8], to track: Int, at time: Int64, lasting duration: Int64, scale: Int64, isKeyframe: Bool
    ) {
        guard scales.indices.contains(track) else { return }
        bytes.withUnsafeBufferPointer { buffer in
            packet.pointee.data = UnsafeMutablePointer(mutating: buffer.baseAddress)
            packet.pointee.size = Int32(buffer.count)
            packet.pointee.stream_index = Int32(track)
            packet.pointee.pts = time
            packet.pointee.dts = time
            packet.pointee.duration = duration
            packet.pointee.flags = isKeyframe ? AV_PKT_FLAG_KEY : 0
            av_packet_rescale_ts(packet, AVRational(num: 1, den: Int32(scale)), scales[track])
            // The result is ignored, because the next flush reports a failed write.
            _ = av_write_frame(context, packet)
            packet.pointee.data = nil
            packet.pointee.size = 0
            av_packet_unref(packet)
        }
    }

    /// Writes all queued data, so that the file can be played up to this point. Throws `systemFailed` if a write
    /// failed.
    func flush() throws(HelioError) {
        _ = av_write_frame(context, nil)
        if container == .mp4 {
            // The next fragment gets its own start time, independent of the duration of this fragment's last picture.
            av_opt_set(context.pointee.priv_data, "movflags", "+frag_discont", 0)
        }
        avio_flush(output)
        try file.seal()
    }

    /// Writes the trailer and ends the file. Throws `systemFailed` if a write failed.
    func finish() throws(HelioError) {
        try flush()
        _ = av_write_trailer(context)
        avio_flush(output)
        try file.seal()
    }
}
