internal import CFFmpeg
internal import HelioCore

/// One of the machine's hardware decoders, opened through FFmpeg. Decoders share it.
///
/// `@unchecked Sendable`: the reference does not change, and FFmpeg's devices may be used by several threads.
final class HardwareDevice: DecodingDevice, @unchecked Sendable {
    let kind: FFmpegDecoderKind
    private let format: AVPixelFormat
    private var device: UnsafeMutablePointer<AVBufferRef>?

    /// Opens the device; `nil` if there is none. Opening an NVIDIA card may take some hundred milliseconds.
    init?(_ kind: FFmpegDecoderKind) {
        guard let (type, format) = kind.device else { return nil }
        self.kind = kind
        self.format = format
        av_log_set_level(AV_LOG_QUIET)
        guard av_hwdevice_ctx_create(&device, type, nil, nil, 0) >= 0 else { return nil }
    }

    deinit { av_buffer_unref(&device) }

    /// Returns true if FFmpeg has a decoder of `codec` that can use a device of this kind.
    static func isSupported(_ codec: VideoCodec, by kind: FFmpegDecoderKind) -> Bool {
        guard let type = kind.device?.type,
            let decoder = avcodec_find_decoder(codec == .h264 ? AV_CODEC_ID_H264 : AV_CODEC_ID_HEVC)
        else { return false }
        var index: Int32 = 0
        while let config = avcodec_get_hw_config(decoder, index) {
            let usesDevice = config.pointee.methods & Int32(AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX) != 0
            if config.pointee.device_type == type, usesDevice { return true }
            index += 1
        }
        return false
    }

    func attach(to context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.hw_device_ctx = av_buffer_ref(device)
        context.pointee.get_format = { context, formats in
            guard FFmpegDecoder.isWithinLimit(context) else { return AV_PIX_FMT_NONE }
            let wanted = HardwareDevice.format(of: context)
            // The list ends with AV_PIX_FMT_NONE. It lacks the device's format if the device can't decode the stream.
            var next = formats
            while let format = next?.pointee, format != AV_PIX_FMT_NONE {
                if format == wanted { return format }
                next = next?.advanced(by: 1)
            }
            return avcodec_default_get_format(context, formats)
        }
    }

    /// Returns the format of pictures in the memory of a decoder's device.
    private static func format(of context: UnsafeMutablePointer<AVCodecContext>?) -> AVPixelFormat {
        guard let data = context?.pointee.hw_device_ctx?.pointee.data else { return AV_PIX_FMT_NONE }
        let type = data.withMemoryRebound(to: AVHWDeviceContext.self, capacity: 1) { $0.pointee.type }
        return FFmpegDecoderKind.hardware.lazy.compactMap(\.device).first { $0.type == type }?.format
            ?? AV_PIX_FMT_NONE
    }

    func holds(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool { AVPixelFormat(frame.pointee.format) == format }

    func download(_ frame: UnsafeMutablePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>) -> Int32 {
        let status = av_hwframe_transfer_data(target, frame, 0)
        return status < 0 ? status : av_frame_copy_props(target, frame)
    }
}
