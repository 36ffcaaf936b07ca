package import HelioCore

/// A model of x264's rate control: the size and sharpness of its pictures at a given rate.
///
/// A picture costs a certain number of bits at a quantiser of 26, and half as many six steps higher. The quantiser is
/// chosen in one pass, like x264's with `vbv-maxrate` and `vbv-bufsize`: the credit of bits grows at the rate up to a
/// limit, and a picture must fit into it. A picture that does not fit even at a quantiser of 51 is emitted
/// nevertheless, and the credit becomes negative. The caller reads `credit` and decides whether to skip pictures until
/// it is positive.
///
/// The slice data are filler that can't contain a start code; only the NAL headers are real.
package struct ModelEncoder: Sendable {
    /// The content of a 1920x1080 screen, which determines the cost of a picture.
    package enum Kind: Sendable, Hashable, CaseIterable {
        /// A page of dense text with typing.
        case typing
        /// The same page, scrolled.
        case scroll
        /// Video that fills the screen, in which every picture differs everywhere.
        case video

        /// The bits of a keyframe at QP 26.
        package var keyframeBits: Double { self == .video ? 1_600_000 : 2_400_000 }

        /// The bits at QP 26 of a picture that refers to the previous one; the median in the case of `video`.
        package var deltaBits: Double {
            switch self {
            case .typing: 6_000
            case .scroll: 180_000
            case .video: 250_000
            }
        }

        /// The bits at QP 26 of a repair picture, which codes about a second of changes by intra prediction; `nil` if
        /// the whole picture changes, so that only a keyframe repairs it.
        package var repairBits: Double? {
            switch self {
            case .typing: keyframeBits * 0.02
            case .scroll: keyframeBits * 0.3
            case .video: nil
            }
        }
    }

    /// The lowest quantiser that is used, as lower ones are visually lossless. `mostQP` is x264's highest.
    package static let leastQP = 10.0
    package static let mostQP = 51.0
    /// The standard deviation of the natural logarithm of a picture's cost in bits, for video content.
    private static let videoSpread = 0.25
    /// The standard deviation of the logarithm of the ratio between a picture's actual and intended size; small, as
    /// x264 corrects most of the difference while coding.
    private static let missedBy = 0.05

    package let framesPerSecond: Int
    package var codec = VideoCodec.h264
    /// The `vbv-bufsize`, in frames at the target rate: the maximum credit.
    package var bufferFrames = 1.0
    /// The maximum size of a keyframe or repair picture, as a multiple of the mean frame size at the target rate.
    package var keyframeFrames = 4.0
    package private(set) var nextIndex: UInt64 = 0
    /// The mean quantiser of the last picture, a multiple of 1/8, as x264 codes some macroblocks with the next
    /// quantiser.
    package private(set) var lastQP = ModelEncoder.mostQP

    private var random: SeededGenerator
    /// The credit in bits after the last picture; negative if the picture was larger than its credit.
    private var saved = 0.0
    private var filled: Instant?

    package init(framesPerSecond: Int = 60, seed: UInt64) {
        self.framesPerSecond = framesPerSecond
        random = SeededGenerator(seed: seed)
    }

    /// Returns the credit at `now` in bits; negative while the debt of a larger picture is not paid off.
    package func credit(target: Bitrate, now: Instant) -> Double {
        let most = perFrame(target) * bufferFrames
        guard let filled else { return most }
        // Limit the debt to half a second at the current rate, like the host's own rate control.
        let kept = max(saved, -Double(target.bitsPerSecond) / 2)
        return min(most, kept + max(0, (now - filled).inSeconds) * Double(target.bitsPerSecond))
    }

    /// Encodes a picture as one slice, at the rate `target`.
    ///
    /// - Parameter repairsSince: requests a repair picture that repairs all frames since this one. If the content has
    ///   no repair pictures, a keyframe is encoded instead.
    package mutating func encode(
        kind: Kind, isKeyframe wantsKeyframe: Bool, repairsSince: UInt64? = nil, target: Bitrate, now: Instant
    ) -> EncodedSlice {
        defer { nextIndex += 1 }
        let repair = wantsKeyframe || repairsSince == nil ? nil : kind.repairBits
        let isKeyframe = wantsKeyframe || repairsSince != nil && repair == nil
        let granted = credit(target: target, now: now)
        let isLarge = isKeyframe || repair != nil
        let allowed = isLarge ? granted + perFrame(target) * (keyframeFrames - bufferFrames) : granted
        var cost = isKeyframe ? kind.keyframeBits : repair ?? kind.deltaBits
        if kind == .video { cost *= PureMath.lognormal(Self.videoSpread, using: &random) }
        let needed = 26 + 6 * PureMath.log2(cost / max(1, allowed))
        lastQP = min(Self.mostQP, max(Self.leastQP, (needed * 8).rounded(.up) / 8))
        let bits =
            cost * PureMath.exp2((26 - lastQP) / 6) * PureMath.lognormal(Self.missedBy, using: &random)
        let annexB = accessUnit(isKeyframe: isKeyframe, size: Int(bits / 8))
        saved = granted - Double(annexB.count * 8)
        filled = now
        return EncodedSlice(
            frameIndex: nextIndex, annexB: annexB, isFirst: true, isLast: true, isKeyframe: isKeyframe,
            timing: FrameTiming(damaged: now, captured: now, converted: now, encoded: now),
            repairsSince: repair == nil ? nil : repairsSince)
    }

    private func perFrame(_ target: Bitrate) -> Double {
        Double(target.bitsPerSecond) / Double(framesPerSecond)
    }

    /// Makes NAL units of about `size` bytes in total.
    private mutating func accessUnit(isKeyframe: Bool, size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(size + 64)
        if isKeyframe {
            for set in parameterSets {
                bytes += [0, 0, 0, 1]
                bytes += set
            }
        }
        bytes += [0, 0, 0, 1]
        switch codec {
        case .h264: bytes.append(isKeyframe ? 0x65 : 0x41)
        // IDR_W_RADL or TRAIL_R, first layer.
        case .h265: bytes += [isKeyframe ? 0x26 : 0x02, 0x01]
        }
        // The first payload bit is H.264's `first_mb_in_slice` 0 or H.265's `first_slice_segment_in_pic_flag` 1.
        bytes.append(0x88)
        let filler = UInt8.random(in: 4 ... .max, using: &random)
        bytes.append(contentsOf: repeatElement(filler, count: max(8, size - bytes.count)))
        return bytes
    }

    private var parameterSets: [[UInt8]] {
        switch codec {
        case .h264: [[0x67, 0x64, 0x00, 0x2A, 0xAC], [0x68, 0xEE, 0x3C, 0x80]]
        case .h265:
            [[0x40, 0x01, 0x0C, 0x11, 0xFF], [0x42, 0x01, 0x11, 0x81, 0x60], [0x44, 0x01, 0xC1, 0x72, 0xB4]]
        }
    }
}
