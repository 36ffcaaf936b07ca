import HelioCore

/// Chooses the quantiser of each picture so that the stream stays within a bitrate without delaying a picture.
///
/// x264's own rate control needs a half-size copy of each picture and a motion search on it before it encodes anything,
/// which takes 3 to 5 ms at 1080p. This control uses only the cost of a changed macroblock in earlier pictures: that is
/// enough, as consecutive pictures of a screen are mostly alike. A token bucket on the capture clock limits the bits.
struct QualityControl: Sendable {
    /// The lowest quantiser of live pictures that x264 encodes: text is legible, and the cost still low.
    static let liveQP = 22
    static let worstQP = 51
    /// The quantisers of x264's refinement steps, from the first to the last, which is visually lossless.
    static let refinementQPs = [18, 6]
    /// The lowest quantiser of live pictures that `PatchCoder` encodes: small changes are sharp at once.
    static let patchQP = 16
    /// The quantiser of content that scrolling reveals: coarser, as the viewer first sees it in motion.
    static let scrollQP = 20

    /// The lowest quantiser of repair pictures: refinement improves them later.
    static let repairQP = 20

    private(set) var bitrate: Bitrate
    private var framesPerSecond: Int
    /// The bits that a changed macroblock costs at `liveQP`; smoothed, rising quickly and falling slowly.
    private var interCost = 60.0
    private var intraCost = 300.0
    /// True once `interCost` was measured with a picture.
    private var knowsInter = false
    /// The bits that a changed macroblock costs `PatchCoder`, at `patchQP`.
    private var patchCost = 150.0
    /// The token bucket's content: the bits that may be sent immediately; negative after an overshoot.
    private var tokens: Double
    private var refilled: Instant?
    /// The quantiser of the last picture that x264 encoded.
    private(set) var lastQP = QualityControl.worstQP
    /// True if the last picture is good enough for scrolling to copy its macroblocks unchanged; otherwise x264 encodes
    /// them again with higher quality.
    var isGood: Bool { lastQP <= Self.liveQP + 4 }

    init(bitrate: Bitrate, framesPerSecond: Int) {
        self.bitrate = bitrate
        self.framesPerSecond = max(1, framesPerSecond)
        tokens = Double(bitrate.bitsPerSecond) * Self.depth
    }

    /// The token bucket's depth, in seconds of bitrate: the longest delay that a large sudden change may cause to later
    /// pictures.
    private static let depth = 0.1
    /// The size limit of a keyframe while the picture rests (`EncodeRequest.rests`), in seconds of bitrate.
    private static let restShare = 0.3
    /// The quantiser falls by a single step only if the rate suffices for pictures this many steps below `liveQP`;
    /// otherwise the next picture would probably raise it again.
    private static let plenty = 3
    /// The maximum debt after an overshoot, in seconds of bitrate; any excess is forgiven.
    private static let mostDebt = 0.5

    mutating func set(bitrate: Bitrate, framesPerSecond: Int) {
        self.bitrate = bitrate
        self.framesPerSecond = max(1, framesPerSecond)
        tokens = min(tokens, Double(bitrate.bitsPerSecond) * Self.depth)
    }

    /// Returns the quantiser of a picture that x264 encodes.
    ///
    /// - Parameters:
    ///   - changed: the number of changed macroblocks, out of `total`.
    ///   - at: the picture's capture time.
    mutating func quantiser(changed: Int, total: Int, request: EncodeRequest, at now: Instant) -> Int {
        refill(at: now)
        if request.refinement > 0 {
            return Self.refinementQPs[min(request.refinement, Self.refinementQPs.count) - 1]
        }
        let perFrame = Double(bitrate.bitsPerSecond) / Double(framesPerSecond)
        let blocks = Double(request.keyframe ? total : max(1, changed))
        let cost = blocks * (request.keyframe ? intraCost : interCost)
        // A live picture may use a fifth of the tokens, a keyframe all of them; the steady state uses exactly the
        // bitrate.
        let forKeyframe = request.rests ? Double(bitrate.bitsPerSecond) * Self.restShare : max(tokens, perFrame * 4)
        let allowed = max(perFrame * 0.25, request.keyframe ? forKeyframe : perFrame * 0.8 + tokens * 0.2)
        let needed = Self.liveQP + Self.steps(cost, into: allowed)
        var qp: Int
        if request.keyframe || changed * 4 > total {
            qp = max(Self.liveQP, needed)
            // x264 examines constant macroblocks, too, at a quantiser below the last picture's. So the quantiser falls
            // by one step only if it can stay at the lower value.
            if qp < lastQP, lastQP - qp <= 1, needed > Self.liveQP - Self.plenty { qp = lastQP }
        } else {
            qp = max(lastQP, needed)
        }
        qp = min(Self.worstQP, max(qp, Self.refinementQPs[Self.refinementQPs.count - 1]))
        return qp
    }

    /// Updates the costs with the size of a picture that x264 encoded.
    mutating func coded(bits: Int, qp: Int, changed: Int, total: Int, request: EncodeRequest) {
        tokens -= Double(bits)
        lastQP = qp
        if request.refinement > 0 { return }
        let blocks = Double(request.keyframe ? total : max(1, changed))
        let scale = Self.scale(from: qp, to: Self.liveQP)
        let cost = max(0.5, Double(bits) / blocks * scale)
        if request.keyframe {
            intraCost = cost
            // The inter cost is not known yet: noise costs nearly as much as in a keyframe, scrolling text far less.
            if !knowsInter { interCost = max(interCost, cost * 0.4) }
        } else if changed * 50 > total {
            knowsInter = true
            interCost += (cost - interCost) * (cost > interCost ? 0.6 : 0.2)
        }
    }

    /// Returns the quantiser of a picture that `PatchCoder` encodes, with `changed` changed macroblocks.
    mutating func patchQuantiser(changed: Int, at now: Instant) -> Int {
        refill(at: now)
        let perFrame = Double(bitrate.bitsPerSecond) / Double(framesPerSecond)
        let allowed = max(perFrame * 0.25, perFrame * 0.8 + tokens * 0.2)
        let needed = Self.patchQP + Self.steps(Double(changed) * patchCost, into: allowed)
        return min(Self.worstQP, max(Self.patchQP, needed))
    }

    /// Returns the quantiser of a repair picture that encodes `blocks` macroblocks by intra prediction.
    ///
    /// A repair picture replaces a keyframe, so it may use as many bits.
    mutating func repairQuantiser(blocks: Int, at now: Instant) -> Int {
        refill(at: now)
        let perFrame = Double(bitrate.bitsPerSecond) / Double(framesPerSecond)
        let allowed = max(tokens, perFrame * 4)
        let needed = Self.liveQP + Self.steps(Double(blocks) * intraCost, into: allowed)
        return min(Self.worstQP, max(Self.repairQP, needed))
    }

    /// Updates the cost with a picture that `PatchCoder` encoded.
    ///
    /// - Parameter qp: `nil` for a refinement or repair picture, which does not change the cost.
    mutating func patched(bits: Int, qp: Int?, changed: Int) {
        tokens -= Double(bits)
        guard let qp, changed > 0 else { return }
        let cost = Double(bits) / Double(changed) * Self.scale(from: qp, to: Self.patchQP)
        patchCost += (cost - patchCost) * (cost > patchCost ? 0.5 : 0.1)
    }

    /// Returns the maximum size of a refinement picture in bytes: the unused part of the bitrate, at least 1000 bytes
    /// (about a packet) and at most 24,000, so that a live change need not wait long.
    mutating func refinementBytes(at now: Instant) -> Int {
        refill(at: now)
        let perFrame = Double(bitrate.bitsPerSecond) / Double(framesPerSecond)
        return max(1000, min(24_000, Int(max(perFrame * 0.5, perFrame + tokens * 0.2) / 8)))
    }

    /// Returns how long sending the bits encoded beyond the bitrate still takes at that bitrate, 0.5 s at most.
    func debt(at now: Instant) -> Duration {
        let rate = Double(max(1, bitrate.bitsPerSecond))
        let since = refilled.map { max(0, (now - $0).inSeconds) } ?? 0
        return .nanoseconds(Int64(max(0, min(Self.mostDebt, -tokens / rate) - since) * 1e9))
    }

    private mutating func refill(at now: Instant) {
        defer { refilled = now }
        guard let refilled, now > refilled else { return }
        let rate = Double(bitrate.bitsPerSecond)
        tokens = min(tokens + (now - refilled).inSeconds * rate, rate * Self.depth)
        tokens = max(tokens, -rate * Self.mostDebt)
    }
}
