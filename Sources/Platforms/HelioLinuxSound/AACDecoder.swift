internal import CFFmpeg
package import HelioCore

/// Decodes AAC (ISO/IEC 14496-3) with FFmpeg: a packet is one raw access unit. The output is converted to the requested
/// format if the coded rate or channels differ.
package final class AACDecoder: SoundDecoding {
    package let codec = SoundCodec.aac
    package let format: SoundFormat
    private let ffmpeg: FFmpegCodec
    private var converter: OpaquePointer?
    private var source: Source?

    /// The format of FFmpeg's output, which is the converter's input.
    private struct Source: Equatable {
        var rate: Int32
        var channels: Int32
        var sampleFormat: Int32
    }

    /// The maximum size of a configuration, in bytes; an `AudioSpecificConfig` has only a few.
    private static let mostConfiguration = 64
    /// The size of the largest access unit that RTP can carry, in bytes (RFC 3640 section 3.3.6).
    private static let mostPayload = 8191
    /// The maximum number of sample frames of a packet after resampling to 48 kHz: 2048 (1024, doubled by SBR) at 7350
    /// Hz, the lowest rate of AAC.
    private static let mostFrames = 2048 * 48000 / 7350

    /// - Parameter configuration: the `AudioSpecificConfig`; empty for AAC-LC in `format`.
    ///
    /// Throws `unsupported` if FFmpeg can't decode the configuration.
    package init(_ format: SoundFormat, configuration: [UInt8] = []) throws(HelioError) {
        av_log_set_level(AV_LOG_QUIET)
        guard (1...2).contains(format.channels), (8000...192_000).contains(format.sampleRate),
            configuration.count <= Self.mostConfiguration
        else { throw HelioError(.unsupported, "This is no configuration of AAC that can be played.") }
        guard let ffmpeg = FFmpegCodec(avcodec_find_decoder(AV_CODEC_ID_AAC)) else {
            throw HelioError(.unsupported, "FFmpeg was built without a decoder for AAC.")
        }
        let c = ffmpeg.context
        c.pointee.sample_rate = Int32(format.sampleRate)
        av_channel_layout_default(&c.pointee.ch_layout, Int32(format.channels))
        if !configuration.isEmpty {
            // FFmpeg needs zero padding after the bytes. It frees the memory with the context.
            guard let data = av_mallocz(configuration.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
                throw HelioError(.systemFailed, "There is no memory for a decoder of AAC.")
            }
            data.copyMemory(from: configuration, byteCount: configuration.count)
            c.pointee.extradata = data.assumingMemoryBound(to: UInt8.self)
            c.pointee.extradata_size = Int32(configuration.count)
        }
        guard avcodec_open2(c, nil, nil) >= 0 else {
            throw HelioError(.unsupported, "FFmpeg can't decode this kind of AAC.")
        }
        self.ffmpeg = ffmpeg
        self.format = format
    }

    deinit { swr_free(&converter) }

    package func decode(_ payload: [UInt8]) throws(HelioError) -> [Float] {
        let (context, frame, packet) = (ffmpeg.context, ffmpeg.frame, ffmpeg.packet)
        guard (1...Self.mostPayload).contains(payload.count), av_new_packet(packet, Int32(payload.count)) >= 0
        else { throw Self.failure }
        packet.pointee.data.update(from: payload, count: payload.count)
        let sent = avcodec_send_packet(context, packet)
        av_packet_unref(packet)
        guard sent >= 0 else { throw Self.failure }
        var samples: [Float] = []
        while true {
            let status = avcodec_receive_frame(context, frame)
            if status == helio_av_again() { break }
            guard status >= 0 else { throw Self.failure }
            defer { av_frame_unref(frame) }
            try convert(frame, into: &samples)
        }
        // A packet that gives no samples is damaged.
        guard !samples.isEmpty else { throw Self.failure }
        return samples
    }

    package func recover(from next: [UInt8], frames: Int) -> [Float]? { nil }

    package func conceal(frames: Int) -> [Float]? { nil }

    private func convert(_ frame: UnsafeMutablePointer<AVFrame>, into samples: inout [Float]) throws(HelioError) {
        let source = Source(
            rate: frame.pointee.sample_rate, channels: frame.pointee.ch_layout.nb_channels,
            sampleFormat: frame.pointee.format)
        if source != self.source {
            self.source = nil
            try openConverter(for: frame)
            self.source = source
        }
        let most = swr_get_out_samples(converter, frame.pointee.nb_samples)
        guard most >= 0, Int(most) <= Self.mostFrames * format.sampleRate / 48000 + 1024 else { throw Self.failure }
        let before = samples.count
        samples.append(contentsOf: repeatElement(0, count: Int(most) * format.channels))
        let input = UnsafeRawPointer(frame.pointee.extended_data)?
            .assumingMemoryBound(to: UnsafePointer<UInt8>?.self)
        let got = samples.withUnsafeMutableBytes { bytes in
            var output = bytes.baseAddress.map { ($0 + before * 4).assumingMemoryBound(to: UInt8.self) }
            return swr_convert(
                converter, &output, most, UnsafeMutablePointer(mutating: input), frame.pointee.nb_samples)
        }
        guard got >= 0 else { throw Self.failure }
        samples.removeLast(samples.count - before - Int(got) * format.channels)
    }

    private func openConverter(for frame: UnsafeMutablePointer<AVFrame>) throws(HelioError) {
        var layout = AVChannelLayout()
        av_channel_layout_default(&layout, Int32(format.channels))
        let made = swr_alloc_set_opts2(
            &converter, &layout, AV_SAMPLE_FMT_FLT, Int32(format.sampleRate), &frame.pointee.ch_layout,
            AVSampleFormat(frame.pointee.format), frame.pointee.sample_rate, 0, nil)
        guard made >= 0, swr_init(converter) >= 0 else { throw Self.failure }
    }

    private static var failure: HelioError { HelioError(.decoderFailed, "AAC: these bytes are no packet.") }
}
