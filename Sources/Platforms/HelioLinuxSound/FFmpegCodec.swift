internal import CFFmpeg

/// The unopened context of an FFmpeg codec, with a frame and a packet; `deinit` frees all three.
final class FFmpegCodec {
    let context: UnsafeMutablePointer<AVCodecContext>
    let frame: UnsafeMutablePointer<AVFrame>
    let packet: UnsafeMutablePointer<AVPacket>

    /// Fails if `codec` is `nil`, as FFmpeg was built without it, or memory can't be allocated.
    init?(_ codec: UnsafePointer<AVCodec>?) {
        var context = codec.flatMap { avcodec_alloc_context3($0) }
        var frame = av_frame_alloc()
        var packet = av_packet_alloc()
        guard let madeContext = context, let madeFrame = frame, let madePacket = packet else {
            avcodec_free_context(&context)
            av_frame_free(&frame)
            av_packet_free(&packet)
            return nil
        }
        (self.context, self.frame, self.packet) = (madeContext, madeFrame, madePacket)
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }
}
