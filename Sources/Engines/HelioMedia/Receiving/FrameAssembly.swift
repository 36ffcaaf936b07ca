internal import HelioCore
internal import HelioRTP

/// The access unit being assembled from packets in order.
struct FrameAssembly: Sendable {
    /// The minimum size of a part in bytes: less would wake the decoder for hardly any work.
    private static let leastPart = 2048

    private var codec: VideoCodec
    private var depacketizer: RTPDepacketizer
    private(set) var annexB: [UInt8] = []
    private(set) var timestamp: UInt32 = 0
    private(set) var isKeyframe = false
    /// True if the next frame must be a keyframe, as no other frame can follow the last one output.
    private(set) var mustBeKeyframe = true
    var packets = 0
    private var firstArrival = Instant.zero
    private var completed = Instant.zero
    private var timing: FrameTimingExtension?
    private var mediaTime: Int64?
    /// The size of the last frame in bytes, as an estimate for the next frame.
    private var lastSize = 0
    /// The number of bytes of the present frame that were already output as parts.
    private var handedOut = 0
    /// True if a slice has arrived since the last part.
    private var hasSlice = false

    init(codec: VideoCodec) {
        self.codec = codec
        depacketizer = RTPDepacketizer(codec: codec)
    }

    /// Switches to another codec; media times continue on the same clock.
    mutating func change(to codec: VideoCodec) {
        self.codec = codec
        depacketizer = RTPDepacketizer(codec: codec)
        reset(mustBeKeyframe: true)
    }

    /// True if no NAL unit is incomplete.
    var isWhole: Bool { !depacketizer.isPartial }

    mutating func reset(mustBeKeyframe: Bool) {
        depacketizer.reset()
        annexB = []
        packets = 0
        isKeyframe = false
        timing = nil
        handedOut = 0
        hasSlice = false
        self.mustBeKeyframe = mustBeKeyframe
    }

    /// - Returns: `false` if the payload is malformed, so that the frame is unusable.
    mutating func append(_ packet: borrowing MediaPacket) -> Bool {
        if packets == 0 {
            timestamp = packet.timestamp
            firstArrival = packet.arrival
            completed = packet.arrival
            annexB.reserveCapacity(packet.marker ? packet.payload.count + 64 : max(lastSize, packet.payload.count * 4))
        }
        packets += 1
        firstArrival = min(firstArrival, packet.arrival)
        completed = max(completed, packet.arrival)
        if let told = packet.timing { timing = told }
        // A packet of padding alone has no payload; only its sequence number counts.
        if packet.payload.isEmpty { return true }
        let payload = packet.bytes.span.bytes.extracting(packet.payload)
        if !isKeyframe { isKeyframe = RTPDepacketizer.isKeyframePayload(payload, codec: codec) }
        if !hasSlice { hasSlice = RTPDepacketizer.isSlicePayload(payload, codec: codec) }
        switch depacketizer.append(payload: payload, to: &annexB) {
        case .whole, .partial: return true
        case .malformed: return false
        }
    }

    /// Returns the part of the frame received since the last part, if it ends with a slice and is large enough,
    /// otherwise `nil`. A keyframe has no parts, as parameter sets may have to be inserted before it.
    mutating func takePart() -> ReceivedPart? {
        guard hasSlice, isWhole, !isKeyframe, !mustBeKeyframe, annexB.count - handedOut >= Self.leastPart else {
            return nil
        }
        defer {
            handedOut = annexB.count
            hasSlice = false
        }
        return ReceivedPart(
            codec: codec, annexB: Array(annexB[handedOut...]), start: .init(timestamp: timestamp, offset: handedOut))
    }

    /// Returns the assembled frame, to which the next frame may refer; `nil` if its packets had no payload.
    mutating func take(index: UInt64) -> ReceivedFrame? {
        guard !annexB.isEmpty else {
            reset(mustBeKeyframe: mustBeKeyframe)
            return nil
        }
        defer { reset(mustBeKeyframe: false) }
        let wide = mediaTime.map { MediaClock.widened(timestamp, near: $0) }
        mediaTime = wide ?? Int64(timestamp)
        lastSize = annexB.count
        return ReceivedFrame(
            codec: codec, annexB: annexB, mediaTime: mediaTime ?? 0, frameIndex: index, isKeyframe: isKeyframe,
            firstArrival: firstArrival, completed: completed, sourceTiming: timing?.timing, sent: timing?.sent,
            handedOut: handedOut)
    }
}
