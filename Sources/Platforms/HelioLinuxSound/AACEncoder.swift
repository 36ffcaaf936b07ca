internal import CFFmpeg
package import HelioCore

/// Encodes AAC-LC (ISO/IEC 14496-3) with FFmpeg: a packet is one raw access unit of 1024 sample frames.
package final class AACEncoder: SoundEncoding {
    package let codec = SoundCodec.aac
    package let format: SoundFormat
    package let framesPerPacket: Int
    package let delayFrames: Int
    /// The `AudioSpecificConfig`.
    package let configuration: [UInt8]
    private let ffmpeg: FFmpegCodec
    private var time: Int64 = 0

    private static let bitrates = 24_000...320_000

    /// Throws `unsupported` if FFmpeg has no encoder for the format.
    package init(_ format: SoundFormat, bitrate: Int) throws(HelioError) {
        av_log_set_level(AV_LOG_QUIET)
        guard let ffmpeg = FFmpegCodec(avcodec_find_encoder_by_name("aac")) else {
            throw HelioError(.unsupported, "FFmpeg was built without an encoder for AAC.")
        }
        let (c, f) = (ffmpeg.context, ffmpeg.frame)
        c.pointee.sample_rate = Int32(clamping: format.sampleRate)
        c.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
        av_channel_layout_default(&c.pointee.ch_layout, Int32(clamping: format.channels))
        c.pointee.time_base = AVRational(num: 1, den: c.pointee.sample_rate)
        c.pointee.bit_rate = Self.clamped(bitrate)
        c.pointee.profile = FF_PROFILE_AAC_LOW
        c.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        // The default two-loop search for quantisers takes longer, and gains little at these bitrates.
        _ = av_opt_set(c.pointee.priv_data, "aac_coder", "fast", 0)
        guard (1...2).contains(format.channels), avcodec_open2(c, nil, nil) >= 0 else {
            throw HelioError(
                .unsupported, "FFmpeg does not code \(format.sampleRate) Hz, \(format.channels) channels as AAC.")
        }
        f.pointee.nb_samples = c.pointee.frame_size
        f.pointee.format = AV_SAMPLE_FMT_FLTP.rawValue
        f.pointee.sample_rate = c.pointee.sample_rate
        guard av_channel_layout_copy(&f.pointee.ch_layout, &c.pointee.ch_layout) >= 0, av_frame_get_buffer(f, 0) >= 0
        else { throw HelioError(.systemFailed, "There is no memory for an encoder of AAC.") }
        self.ffmpeg = ffmpeg
        self.format = format
        framesPerPacket = Int(c.pointee.frame_size)
        // Besides the overlap, the encoder delays the samples of one packet for look-ahead.
        delayFrames = (Int(c.pointee.initial_padding) + framesPerPacket) * 48000 / format.sampleRate
        configuration =
            c.pointee.extradata.map {
                [UInt8](UnsafeBufferPointer(start: $0, count: Int(c.pointee.extradata_size)))
            } ?? []
    }

    package func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]? {
        guard samples.count == framesPerPacket * format.channels else {
            throw HelioError(.invalidArgument, "A packet is \(framesPerPacket) sample frames, not these.")
        }
        let (context, frame, packet) = (ffmpeg.context, ffmpeg.frame, ffmpeg.packet)
        guard av_frame_make_writable(frame) >= 0 else {
            throw HelioError(.encoderFailed, "There is no memory for a packet of AAC.")
        }
        for channel in 0..<format.channels {
            guard let plane = frame.pointee.extended_data[channel] else { continue }
            plane.withMemoryRebound(to: Float.self, capacity: framesPerPacket) { plane in
                for index in 0..<framesPerPacket {
                    let sample = samples[index * format.channels + channel]
                    // FFmpeg refuses a whole packet if one sample is not a finite number.
                    plane[index] = sample.isFinite ? sample : 0
                }
            }
        }
        frame.pointee.pts = time
        time += Int64(framesPerPacket)
        var status = avcodec_send_frame(context, frame)
        if status >= 0 { status = avcodec_receive_packet(context, packet) }
        if status == helio_av_again() { return nil }
        guard status >= 0 else { throw HelioError(.encoderFailed, "FFmpeg failed to code a packet of AAC.") }
        defer { av_packet_unref(packet) }
        return [UInt8](UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }

    /// Sets the bitrate; the packet length is fixed by the codec.
    package func reconfigure(_ settings: SoundEncoderSettings) {
        ffmpeg.context.pointee.bit_rate = Self.clamped(settings.bitrate)
    }

    private static func clamped(_ bitrate: Int) -> Int64 {
        Int64(min(max(bitrate, bitrates.lowerBound), bitrates.upperBound))
    }
}
