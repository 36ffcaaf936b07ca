import CFFmpeg
import HelioCore
import Synchronization

@testable import HelioLinuxSink

/// A simulated decoding device: FFmpeg decodes in software, and each picture counts as being in device memory, from
/// which one copy brings it, as NV12.
final class StandInDevice: DecodingDevice {
    struct Counts: Sendable, Hashable {
        var attached = 0
        var copies = 0
    }

    let kind = FFmpegDecoderKind.nvdec
    /// True if decoding uses the device; false simulates a fallback to software.
    private let isAble: Bool
    /// The first copy that fails, counted from 0; `nil` if none fails.
    private let failsFrom: Int?
    private let state = Mutex(Counts())

    init(isAble: Bool = true, failsFrom: Int? = nil) {
        self.isAble = isAble
        self.failsFrom = failsFrom
    }

    var counts: Counts { state.withLock { $0 } }

    func attach(to context: UnsafeMutablePointer<AVCodecContext>) { state.withLock { $0.attached += 1 } }

    func holds(_ frame: UnsafeMutablePointer<AVFrame>) -> Bool { isAble }

    func download(_ frame: UnsafeMutablePointer<AVFrame>, to target: UnsafeMutablePointer<AVFrame>) -> Int32 {
        let number = state.withLock { counts in
            defer { counts.copies += 1 }
            return counts.copies
        }
        if let failsFrom, number >= failsFrom { return helio_av_end() }
        (target.pointee.width, target.pointee.height) = (frame.pointee.width, frame.pointee.height)
        target.pointee.format = AV_PIX_FMT_NV12.rawValue
        guard av_frame_get_buffer(target, 0) >= 0 else { return helio_av_end() }
        let (from, to) = (frame.pointee.data, target.pointee.data)
        let (fromStride, toStride) = (frame.pointee.linesize, target.pointee.linesize)
        guard let y = from.0, let cb = from.1, let cr = from.2, let luma = to.0, let chroma = to.1 else {
            return helio_av_end()
        }
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        for row in 0..<height {
            (luma + row * Int(toStride.0)).update(from: y + row * Int(fromStride.0), count: width)
        }
        for row in 0..<(height + 1) / 2 {
            let pairs = chroma + row * Int(toStride.1)
            for x in 0..<(width + 1) / 2 {
                pairs[2 * x] = cb[row * Int(fromStride.1) + x]
                pairs[2 * x + 1] = cr[row * Int(fromStride.2) + x]
            }
        }
        return av_frame_copy_props(target, frame)
    }
}
