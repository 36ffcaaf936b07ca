internal import CFFmpeg
internal import HelioCore

/// The machine's hardware decoder, accessed through VA-API.
final class HardwareDevice {
    private var device: UnsafeMutablePointer<AVBufferRef>?

    /// Opens the device; `nil` if there is none, or FFmpeg has no VA-API decoder of `codec`.
    init?(for codec: VideoCodec) {
        guard let decoder = avcodec_find_decoder(codec == .h264 ? AV_CODEC_ID_H264 : AV_CODEC_ID_HEVC) else {
            return nil
        }
        var index: Int32 = 0
        var isSupported = false
        while let config = avcodec_get_hw_config(decoder, index) {
            let usesDevice = config.pointee.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0
            if config.pointee.device_type == AV_HWDEVICE_TYPE_VAAPI, usesDevice { isSupported = true }
            index += 1
        }
        guard isSupported, av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VAAPI, nil, nil, 0) >= 0 else {
            return nil
        }
    }

    deinit { av_buffer_unref(&device) }

    func attach(to context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.hw_device_ctx = av_buffer_ref(device)
        context.pointee.get_format = { context, formats in
            guard FFmpegDecoder.isWithinLimit(context) else { return AV_PIX_FMT_NONE }
            // The list ends with AV_PIX_FMT_NONE. It lacks AV_PIX_FMT_VAAPI if the hardware can't decode the stream.
            var next = formats
            while let format = next?.pointee, format != AV_PIX_FMT_NONE {
                if format == AV_PIX_FMT_VAAPI { return format }
                next = next?.advanced(by: 1)
            }
            return avcodec_default_get_format(context, formats)
        }
    }

    /// Returns true if the picture is in the hardware's memory.
    func holds(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool {
        AVPixelFormat(frame.pointee.format) == AV_PIX_FMT_VAAPI
    }

    /// Copies a picture to system memory. Returns FFmpeg's status, which is negative for an error.
    func download(_ frame: UnsafeMutablePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>) -> Int32 {
        let status = av_hwframe_transfer_data(target, frame, 0)
        return status < 0 ? status : av_frame_copy_props(target, frame)
    }
}
