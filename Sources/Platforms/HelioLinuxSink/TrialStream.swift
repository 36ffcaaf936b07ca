internal import CFFmpeg
internal import HelioCore

/// A stream of a moving texture, encoded by FFmpeg's software encoder, for measuring decoders.
final class TrialStream {
    /// The distance by which the texture moves to the left with each picture, in pixels.
    private static let step = 3
    private static let pattern = 256

    private let size: PixelSize
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    /// One line of the texture. Each line of a picture is a section of it, at an offset that depends on the line and
    /// the picture.
    private let texture: [UInt8]

    /// Opens the encoder; `nil` if FFmpeg was built without it.
    init?(_ codec: VideoCodec, _ size: PixelSize) {
        self.size = size
        // The texture resembles a photograph: smooth, with occasional edges.
        var random: UInt32 = 1
        var value = 128
        texture = (0..<size.width + 2 * Self.pattern).map { _ in
            random = random &* 1_664_525 &+ 1_013_904_223
            let noise = Int(random >> 24)
            value = noise < 16 ? 40 + noise * 11 : min(235, max(16, value + noise % 17 - 8))
            return UInt8(value)
        }
        av_log_set_level(AV_LOG_QUIET)
        guard let encoder = avcodec_find_encoder_by_name(codec == .h264 ? "libx264" : "libx265") else { return nil }
        context = avcodec_alloc_context3(encoder)
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        guard let context, let frame, packet != nil else { return nil }
        context.pointee.width = Int32(size.width)
        context.pointee.height = Int32(size.height)
        context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
        context.pointee.time_base = AVRational(num: 1, den: 60)
        context.pointee.gop_size = Int32.max
        context.pointee.max_b_frames = 0
        av_opt_set(context.pointee.priv_data, "preset", "ultrafast", 0)
        av_opt_set(context.pointee.priv_data, "tune", "zerolatency", 0)
        if codec == .h265 { av_opt_set(context.pointee.priv_data, "x265-params", "log-level=none", 0) }
        guard avcodec_open2(context, encoder, nil) >= 0 else { return nil }
        frame.pointee.width = context.pointee.width
        frame.pointee.height = context.pointee.height
        frame.pointee.format = context.pointee.pix_fmt.rawValue
        guard av_frame_get_buffer(frame, 0) >= 0 else { return nil }
    }

    deinit {
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }

    /// Returns the access unit of the next picture in Annex B form; `nil` if coding fails. The stream's first picture
    /// is a keyframe.
    func next(_ number: Int) -> [UInt8]? {
        guard let context, let frame, let packet, av_frame_make_writable(frame) >= 0 else { return nil }
        paint(frame, number)
        frame.pointee.pts = Int64(number)
        guard avcodec_send_frame(context, frame) >= 0, avcodec_receive_packet(context, packet) >= 0 else { return nil }
        defer { av_packet_unref(packet) }
        return [UInt8](UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
    }

    private func paint(_ frame: UnsafeMutablePointer<AVFrame>, _ number: Int) {
        let shift = number * Self.step
        texture.withUnsafeBufferPointer { texture in
            let (data, strides) = (frame.pointee.data, frame.pointee.linesize)
            let planes = [(data.0, strides.0, 0), (data.1, strides.1, 1), (data.2, strides.2, 1)]
            for (data, stride, half) in planes {
                guard let data, let first = texture.baseAddress else { continue }
                let (width, height) = (size.width >> half, size.height >> half)
                for y in 0..<height {
                    // Lines differ slowly, so that the texture has edges in all directions.
                    let place = (((y << half) / 3 + shift) >> half) % Self.pattern
                    (data + y * Int(stride)).update(from: first + place, count: width)
                }
            }
        }
    }
}
