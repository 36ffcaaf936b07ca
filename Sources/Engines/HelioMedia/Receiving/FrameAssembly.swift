internal import HelioCore
internal import HelioRTP

/// The access unit that is being put together from packets in order.
struct FrameAssembly: Sendable {
    /// The least bytes of a part: with fewer, the decoder would be woken for hardly any work.
    private static let leastPart = 2048

    private var codec: VideoCodec
    private var depacketizer: RTPDepacketizer
    private(set) var annexB: [UInt8] = []
    private(set) var timestamp: UInt32 = 0
    private(set) var isKeyframe = false
    /// True where the next frame must be a keyframe: nothing else can follow what was given out before.
    private(set) var mustBeKeyframe = true
    var packets = 0
    private var firstArrival = Instant.zero
    private var completed = Instant.zero
    private var timing: FrameTimingExtension?
    private var mediaTime: Int64?
    /// The size of the last frame: what the next one is likely to need.
    private var lastSize = 0
    /// The bytes that were taken as parts.
    private var handedOut = 0
    /// True where a slice came behind those.
    private var hasSlice = false

    init(codec: VideoCodec) {
        self.codec = codec
        depacketizer = RTPDepacketizer(codec: codec)
    }

    /// Goes on in another codec; the stream's clock goes on.
    mutating func change(to codec: VideoCodec) {
        self.codec = codec
        depacketizer = RTPDepacketizer(codec: codec)
        reset(mustBeKeyframe: true)
    }

    /// True where no NAL unit is cut off.
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

    /// - Returns: `false` where the packet's content makes the frame unusable.
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
        // Padding alone: its number counts, its bytes don't.
        if packet.payload.isEmpty { return true }
        let payload = packet.bytes.span.bytes.extracting(packet.payload)
        if !isKeyframe { isKeyframe = RTPDepacketizer.isKeyframePayload(payload, codec: codec) }
        if !hasSlice { hasSlice = RTPDepacketizer.isSlicePayload(payload, codec: codec) }
        switch depacketizer.append(payload: payload, to: &annexB) {
        case .whole, .partial: return true
        case .malformed: return false
        }
    }

    /// Takes what there is of the frame, where that ends with a slice and is worth it; never of a keyframe, before which
    /// parameter sets may have to go.
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

    /// Takes the frame, where its packets held any bytes; the next one may refer to it.
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
