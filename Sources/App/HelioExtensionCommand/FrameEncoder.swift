private import CX264
internal import HelioExtension

/// An x264 encoder with an extension's settings: one thread, and no delay between input and output pictures
/// (requirement rows 139 to 142).
struct FrameEncoder {
    struct AccessUnit {
        let bytes: [UInt8]
        let isKeyframe: Bool
    }

    private let encoder: OpaquePointer
    private let size: PixelSize
    private var parameters: x264_param_t
    private var pictures: Int64 = 0

    /// - Parameter bitrate: the average bitrate, in bits a second.
    init(_ size: PixelSize, rate: Int, bitrate: Int) throws(HelioError) {
        self.size = size
        var p = x264_param_t()
        x264_param_default_preset(&p, "ultrafast", "zerolatency")
        helio_x264_silence(&p)
        p.i_width = Int32(size.width)
        p.i_height = Int32(size.height)
        p.i_csp = X264_CSP_NV12
        p.i_fps_num = UInt32(rate)
        p.i_fps_den = 1
        p.b_vfr_input = 0
        p.i_threads = 1
        p.i_keyint_max = Int32(rate * 2)
        p.i_frame_reference = 1
        p.b_annexb = 1
        p.b_repeat_headers = 1
        p.rc.i_rc_method = X264_RC_ABR
        Self.set(bitrate, in: &p)
        guard let encoder = helio_x264_open(&p) else {
            throw HelioError(.encoderFailed, "x264 can't be started for \(size).")
        }
        self.encoder = encoder
        parameters = p
    }

    private static func set(_ bitrate: Int, in p: inout x264_param_t) {
        p.rc.i_bitrate = Int32(bitrate / 1000)
        p.rc.i_vbv_max_bitrate = Int32(bitrate / 1000)
        p.rc.i_vbv_buffer_size = Int32(EncoderPreset.limit(ofAverage: bitrate).bytes * 8 / 1000)
    }

    /// Changes the average bitrate from the next picture on.
    mutating func change(bitrate: Int) throws(HelioError) {
        Self.set(bitrate, in: &parameters)
        guard x264_encoder_reconfig(encoder, &parameters) == 0 else {
            throw HelioError(.encoderFailed, "x264 does not take \(bitrate) bits a second.")
        }
    }

    func close() { x264_encoder_close(encoder) }

    mutating func encode(_ picture: PlanarFrame, isKeyframe: Bool) throws(HelioError) -> AccessUnit {
        var input = x264_picture_t()
        x264_picture_init(&input)
        input.i_type = isKeyframe ? X264_TYPE_IDR : X264_TYPE_AUTO
        input.i_pts = pictures
        input.img.i_csp = X264_CSP_NV12
        input.img.i_plane = 2
        input.img.plane = (picture.luma, picture.chroma, nil, nil)
        input.img.i_stride = (picture.stride, picture.stride, 0, 0)
        pictures += 1
        var output = x264_picture_t()
        var nals: UnsafeMutablePointer<x264_nal_t>?
        var count: Int32 = 0
        let size = x264_encoder_encode(encoder, &nals, &count, &input, &output)
        // The NAL units of a picture are contiguous in memory.
        guard size > 0, let first = nals?.pointee.p_payload else {
            throw HelioError(.encoderFailed, "x264 failed to code a picture.")
        }
        return AccessUnit(
            bytes: [UInt8](UnsafeBufferPointer(start: first, count: Int(size))), isKeyframe: output.b_keyframe != 0)
    }
}
