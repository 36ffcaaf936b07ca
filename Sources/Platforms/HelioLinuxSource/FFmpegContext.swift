import CFFmpeg
import Glibc
import HelioCore
import HelioPatch

/// An opened FFmpeg encoder, with its frame and packet.
final class FFmpegContext {
    /// The lowest bitrate that an encoder is set to. x265 rounds the rate and the buffer's size (a quarter of a second)
    /// down to whole kbit and treats 0 as no limit. The bound applies to all encoders, as others may not handle tiny
    /// rates either.
    static let leastBitrate = Bitrate.kilobits(16)

    private let kind: FFmpegEncoderKind
    private let is420: Bool
    /// The format of the pictures in system memory.
    let software: AVPixelFormat
    private let codec: UnsafePointer<AVCodec>
    private var context: UnsafeMutablePointer<AVCodecContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var packet: UnsafeMutablePointer<AVPacket>?
    private var device: UnsafeMutablePointer<AVBufferRef>?
    private var surfaces: UnsafeMutablePointer<AVBufferRef>?
    /// The quantiser of the last picture, 0...51; `nil` if the encoder does not report it.
    private(set) var quantiser: Int?

    /// Opens an encoder.
    convenience init(_ format: VideoFormat, kind: FFmpegEncoderKind) throws(HelioError) {
        try self.init(setUp: format, kind: kind)
        try open()
    }

    /// Sets an encoder up without opening it, which needs no hardware.
    init(setUp format: VideoFormat, kind: FFmpegEncoderKind) throws(HelioError) {
        self.kind = kind
        is420 = format.chroma == .yuv420
        software = kind.pixelFormat(of: format.chroma)
        if kind.usesVAAPI, !is420 {
            throw HelioError(.unsupported, "\(kind.name) codes 4:2:0 only.")
        }
        guard let codec = avcodec_find_encoder_by_name(kind.rawValue) else {
            throw HelioError(.unsupported, "FFmpeg was built without \(kind.rawValue).")
        }
        self.codec = codec
        frame = av_frame_alloc()
        packet = av_packet_alloc()
        context = avcodec_alloc_context3(codec)
        guard let c = context, frame != nil, packet != nil else {
            throw HelioError(.systemFailed, "There is no memory for \(kind.name).")
        }
        c.pointee.width = Int32(format.size.width)
        c.pointee.height = Int32(format.size.height)
        c.pointee.pix_fmt = kind.usesVAAPI ? AV_PIX_FMT_VAAPI : software
        c.pointee.time_base = AVRational(num: 1, den: Int32(max(1, format.framesPerSecond)))
        c.pointee.framerate = AVRational(num: Int32(max(1, format.framesPerSecond)), den: 1)
        c.pointee.gop_size = Int32.max
        c.pointee.max_b_frames = 0
        Self.setRate(format.bitrate, of: c)
        c.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY
        c.pointee.colorspace = AVColorSpace(UInt32(format.color.matrix))
        c.pointee.color_primaries = AVColorPrimaries(UInt32(format.color.primaries))
        c.pointee.color_trc = AVColorTransferCharacteristic(UInt32(format.color.transfer))
        c.pointee.color_range = format.color.isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        c.pointee.chroma_sample_location = AVCHROMA_LOC_CENTER
        if let profile = format.profile, kind.usesVAAPI { c.pointee.profile = Int32(profile) }
        try setOptions(c, profile: format.profile)
    }

    private func open() throws(HelioError) {
        guard let c = context, let frame else { throw failure("is stopped") }
        if kind.usesVAAPI { try openVAAPI(c, software) }
        let status = avcodec_open2(c, codec, nil)
        if status < 0 { throw cannotStart(status) }

        frame.pointee.width = c.pointee.width
        frame.pointee.height = c.pointee.height
        frame.pointee.format = software.rawValue
        frame.pointee.color_range = c.pointee.color_range
        let got = av_frame_get_buffer(frame, 0)
        if got < 0 { throw failure("has no memory: \(Self.text(got))") }
    }

    /// The error of an encoder that can't be opened. FFmpeg's own text misleads for NVENC: "Operation not permitted" if
    /// the driver is missing, "Function not implemented" if the card can't code the format.
    private func cannotStart(_ status: Int32) -> HelioError {
        guard kind.usesNVENC else { return failure("can't be started: \(Self.text(status))") }
        var card: UnsafeMutablePointer<AVBufferRef>?
        defer { av_buffer_unref(&card) }
        guard av_hwdevice_ctx_create(&card, AV_HWDEVICE_TYPE_CUDA, nil, nil, 0) >= 0 else {
            return failure("can't be started: there is no NVIDIA card, or its driver (libcuda) is not installed")
        }
        return failure(
            "can't be started: the NVIDIA card or its driver does not code \(is420 ? "" : "4:4:4 in ")"
                + "\(kind.codec.encodingName) of this size, or codes as much as it can already")
    }

    /// Returns the value of one of FFmpeg's options, the encoder's own included, as text; `nil` if there is no such
    /// option.
    func option(_ name: String) -> String? {
        guard let context else { return nil }
        var value: UnsafeMutablePointer<UInt8>?
        guard av_opt_get(context, name, AV_OPT_SEARCH_CHILDREN, &value) >= 0, let value else { return nil }
        defer { av_free(value) }
        return String(cString: value)
    }

    deinit {
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
        av_buffer_unref(&surfaces)
        av_buffer_unref(&device)
    }

    /// Sets the bitrate from the next picture on, which becomes a keyframe. Returns false if the encoder can change its
    /// rate only with a new context.
    func setRate(_ bitrate: Bitrate) -> Bool {
        guard kind.usesNVENC, let context else { return false }
        Self.setRate(bitrate, of: context)
        return true
    }

    private static func setRate(_ bitrate: Bitrate, of c: UnsafeMutablePointer<AVCodecContext>) {
        let rate = max(bitrate, leastBitrate).bitsPerSecond
        c.pointee.bit_rate = Int64(rate)
        c.pointee.rc_max_rate = Int64(rate)
        c.pointee.rc_buffer_size = Int32(clamping: rate / 4)
    }

    /// Encodes a picture; returns its access unit in Annex B form, and whether it is a keyframe.
    func encode(
        _ picture: PlanarPicture, number: Int64, isKeyframe: Bool
    ) throws(HelioError) -> (unit: [UInt8], isKeyframe: Bool) {
        guard let context, let frame, let packet else { throw failure("is stopped") }
        av_frame_make_writable(frame)
        fill(frame, picture.blocks)
        var sent = frame
        var surface: UnsafeMutablePointer<AVFrame>?
        defer { av_frame_free(&surface) }
        if let surfaces {
            surface = av_frame_alloc()
            guard let s = surface, av_hwframe_get_buffer(surfaces, s, 0) >= 0,
                av_hwframe_transfer_data(s, frame, 0) >= 0
            else { throw failure("could not take a picture") }
            sent = s
        }
        sent.pointee.pts = number
        sent.pointee.pict_type = isKeyframe ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE
        var status = avcodec_send_frame(context, sent)
        if status >= 0 { status = avcodec_receive_packet(context, packet) }
        if status < 0 { throw failure("failed to code a picture: \(Self.text(status))") }
        defer { av_packet_unref(packet) }
        quantiser = Self.quantiser(of: packet)
        let unit = [UInt8](UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
        return (unit, packet.pointee.flags & AV_PKT_FLAG_KEY != 0)
    }

    /// Reads the quantiser that an encoder has attached to a packet: a little-endian 32-bit number, 118 per quantiser
    /// step (`AV_PKT_DATA_QUALITY_STATS`, `FF_QP2LAMBDA`).
    private static func quantiser(of packet: UnsafePointer<AVPacket>) -> Int? {
        var size = 0
        guard let data = av_packet_get_side_data(packet, AV_PKT_DATA_QUALITY_STATS, &size), size >= 4 else {
            return nil
        }
        let value = (0..<4).reduce(0) { $0 | Int(data[$1]) << ($1 * 8) }
        return min(51, value / 118)
    }

    func failure(_ what: String) -> HelioError { HelioError(.encoderFailed, "\(kind.name) \(what).") }

    /// NVENC's names of H.264's profiles, by `profile_idc`.
    private static let nvencProfiles: [UInt8: String] = [66: "baseline", 77: "main", 100: "high"]

    private func setOptions(_ c: UnsafeMutablePointer<AVCodecContext>, profile: UInt8?) throws(HelioError) {
        var options: [(String, String)] =
            switch kind {
            case .x265:
                [
                    ("preset", "ultrafast"), ("tune", "zerolatency"), ("forced-idr", "1"), ("crf", "24"),
                    (
                        "x265-params",
                        "log-level=none:repeat-headers=1:keyint=-1:min-keyint=1:scenecut=0:bframes=0:rc-lookahead=0:"
                            + "frame-threads=1:info=0:annexb=1"
                    ),
                ]
            case .h264VAAPI, .h265VAAPI: [("async_depth", "1"), ("idr_interval", "0")]
            case .h264NVENC, .h265NVENC:
                [
                    ("preset", "p1"), ("tune", "ull"), ("zerolatency", "1"), ("delay", "0"), ("forced-idr", "1"),
                    ("rc", "cbr"),
                ]
            }
        // FFmpeg's NVENC ignores the context's profile, and sets that of 4:4:4 and H.265 itself.
        if kind == .h264NVENC, is420, let name = Self.nvencProfiles[profile ?? 0] { options.append(("profile", name)) }
        // x265 uses CRF with a maximum rate: a bitrate would be a target, which x265 spends even on a still screen.
        if kind == .x265 { c.pointee.bit_rate = 0 }
        for (key, value) in options where av_opt_set(c.pointee.priv_data, key, value, 0) < 0 {
            throw failure("does not know the option \(key)")
        }
    }

    private func openVAAPI(_ c: UnsafeMutablePointer<AVCodecContext>, _ software: AVPixelFormat) throws(HelioError) {
        let opened = av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_VAAPI, nil, nil, 0)
        if opened < 0 { throw failure("finds no VA-API device: \(Self.text(opened))") }
        surfaces = av_hwframe_ctx_alloc(device)
        guard let surfaces else { throw failure("has no memory") }
        surfaces.pointee.data.withMemoryRebound(to: AVHWFramesContext.self, capacity: 1) {
            $0.pointee.format = AV_PIX_FMT_VAAPI
            $0.pointee.sw_format = software
            $0.pointee.width = c.pointee.width
            $0.pointee.height = c.pointee.height
            $0.pointee.initial_pool_size = 4
        }
        let status = av_hwframe_ctx_init(surfaces)
        if status < 0 { throw failure("has no surfaces: \(Self.text(status))") }
        c.pointee.hw_frames_ctx = av_buffer_ref(surfaces)
    }

    private func fill(_ frame: UnsafeMutablePointer<AVFrame>, _ p: MacroblockPicture) {
        let (width, height) = (p.size.width, p.size.height)
        guard let y = frame.pointee.data.0, let c0 = frame.pointee.data.1 else { return }
        Self.copy(p.luma, p.lumaStride, to: y, Int(frame.pointee.linesize.0), width, height)
        let stride0 = Int(frame.pointee.linesize.1)
        if software == AV_PIX_FMT_NV12 {
            Self.copy(p.chroma0, p.chromaStride, to: c0, stride0, width, height / 2)
            return
        }
        guard let c1 = frame.pointee.data.2 else { return }
        let stride1 = Int(frame.pointee.linesize.2)
        if !is420 {
            Self.copy(p.chroma0, p.chromaStride, to: c0, stride0, width, height)
            Self.copy(p.chroma1, p.chromaStride, to: c1, stride1, width, height)
            return
        }
        for row in 0..<height / 2 {
            let from = p.chroma0 + row * p.chromaStride
            let (u, v) = (c0 + row * stride0, c1 + row * stride1)
            for i in 0..<width / 2 {
                u[i] = from[i &* 2]
                v[i] = from[i &* 2 &+ 1]
            }
        }
    }

    private static func copy(
        _ from: UnsafePointer<UInt8>, _ fromStride: Int, to: UnsafeMutablePointer<UInt8>, _ toStride: Int,
        _ width: Int, _ height: Int
    ) {
        for row in 0..<height { (to + row * toStride).update(from: from + row * fromStride, count: width) }
    }

    private static func text(_ status: Int32) -> String {
        var buffer = [CChar](repeating: 0, count: 128)
        av_strerror(status, &buffer, buffer.count)
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
