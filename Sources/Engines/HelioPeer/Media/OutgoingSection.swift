import HelioCore
import HelioMedia
import HelioRTP
import HelioSDP

/// The outgoing stream of one section, with its choice among the negotiated codecs, and its header extensions.
final class OutgoingSection: DropCounting {
    /// The minimum time between two keyframe requests to an encoder.
    private static let keyframeSpacing = Duration.milliseconds(100)
    /// The time after which an unanswered keyframe request is repeated.
    private static let keyframePatience = Duration.milliseconds(500)

    let names: SendingStream
    let stream: StreamSender
    private(set) var drops = DropCounter<MediaDrop>()
    private var media: NegotiatedMedia
    /// The payload type that the caller chose; with `nil`, the first fitting codec is used.
    private var chosenType: PayloadType?
    /// The codec of the last sent packet; `nil` before the first packet, and after a negotiation or `choose`.
    private var codec: NegotiatedCodec?
    private var orientation: VideoOrientation?
    /// True if the peer is to play the video in sync with audio; false if it is to show each picture at once.
    private var playsInStep = false
    /// True once a playout delay of 0 was sent; it stays in effect until another playout delay is sent.
    private var wasImmediate = false
    /// The first sequence number of the parity stream; 0 if there is no such stream.
    private let firstParity: UInt16

    init(
        _ names: SendingStream, _ media: NegotiatedMedia, _ terms: MediaTransportConfiguration,
        random: inout some RandomNumberGenerator
    ) {
        self.names = names
        self.media = media
        let timestampOffset = UInt32.random(in: .min ... .max, using: &random)
        var configuration = StreamSender.Configuration(
            ssrc: names.ssrc, firstSequence: .random(in: 0...0x7FFF, using: &random),
            largestPacket: terms.largestPacket, rate: terms.mostBitrate)
        configuration.timestampOffset = timestampOffset
        configuration.retransmissionSSRC = names.retransmissionSSRC
        configuration.firstRetransmission = .random(in: 0...0x7FFF, using: &random)
        configuration.clockOffset = terms.clockOffset
        configuration.isHostClock = terms.isHostClock && media.kind == .video
        configuration.reserve = terms.reserve
        configuration.pacer = terms.pacer
        configuration.history = terms.history
        configuration.keyframes = KeyframeRequests(spacing: Self.keyframeSpacing, patience: Self.keyframePatience)
        // Draw no random number without parity, so that the following random numbers don't depend on this feature.
        firstParity = names.paritySSRC == nil ? 0 : .random(in: 0...0x7FFF, using: &random)
        stream = StreamSender(configuration)
    }

    var isVideo: Bool { media.kind == .video }

    // MARK: Agreements

    func agree(_ media: NegotiatedMedia, playsInStep: Bool) {
        self.media = media
        self.playsInStep = playsInStep
        if !media.codecs.contains(where: { $0.sendPayloadType == chosenType }) { chosenType = nil }
        codec = nil
        if isVideo, media.direction.sends, !playsInStep { wasImmediate = true }
        agreeOnExtensions()
        stream.agree(parity: parity)
        if !media.direction.sends {
            stream.pause()
        } else if !stream.isActive {
            // After a pause, the peer lacks the reference pictures of the next frames, so a keyframe has to be sent
            // first.
            stream.play(isVideo ? KeyframeWish("the peer begins to receive") : nil)
        }
    }

    private func agreeOnExtensions() {
        let delay: PlayoutDelay? = playsInStep ? (wasImmediate ? .usual : nil) : PlayoutDelay.none
        stream.agree(OutgoingExtensions(media, orientation: orientation, playoutDelay: delay))
    }

    /// The negotiated parity stream; `nil` without transport-wide feedback, which is needed to plan the amount of
    /// parity.
    private var parity: StreamSender.Parity? {
        guard let agreed = media.parity, let ssrc = names.paritySSRC, media.isTransportWide else { return nil }
        return StreamSender.Parity(
            ssrc: ssrc, payloadType: agreed.sendPayloadType, firstSequence: firstParity,
            code: FlexFECCode(protecting: names.ssrc))
    }

    /// Chooses the payload type of all following packets.
    ///
    /// - Returns: false if the payload type is not negotiated.
    func choose(_ type: PayloadType) -> Bool {
        guard media.codecs.contains(where: { $0.sendPayloadType == type }) else { return false }
        chosenType = type
        codec = nil
        return true
    }

    func turn(_ orientation: VideoOrientation) {
        self.orientation = orientation
        agreeOnExtensions()
    }

    // MARK: Sending

    func send(_ slice: borrowing PacketizedSlice, captured: Instant?, now: Instant) {
        guard isVideo else { return drops.count(.notSending) }
        guard let codec = codec(for: slice.codec) else { return drops.count(.refusedCodec) }
        self.codec = codec
        stream.send(slice, captured: captured, as: codec.sendFormat, now: now)
    }

    private func codec(for video: VideoCodec) -> NegotiatedCodec? {
        if let codec, codec.video == video { return codec }
        let fitting = media.codecs.filter { $0.video == video && $0.takesFragments }
        return fitting.first { $0.sendPayloadType == chosenType } ?? fitting.first
    }

    func send(
        packet payload: [UInt8], timestamp: UInt32, marker: Bool, captured: Instant?,
        transport: inout BandwidthEstimator, now: Instant, _ emit: StreamSender.Emit
    ) {
        guard let codec = media.codecs.first(where: { $0.sendPayloadType == chosenType }) ?? media.codecs.first
        else { return drops.count(.notSending) }
        self.codec = codec
        stream.send(
            packet: payload, timestamp: timestamp, marker: marker, captured: captured, as: codec.sendFormat,
            transport: &transport, now: now, emit)
    }

    // MARK: Time

    /// The time of the next tick.
    ///
    /// - Parameters:
    ///   - isOpen: true if packets can be sent; otherwise no pictures are requested.
    ///   - repairsHeld: the time until which no repair picture is requested; `nil`: one may be requested now.
    func deadline(isOpen: Bool, _ repairsHeld: Deadline?) -> Deadline? {
        guard isOpen else { return stream.deadline }
        let repair = stream.owesRepair ? repairsHeld ?? stream.repairDeadline : nil
        return .earliest(stream.deadline, .earliest(stream.keyframes.deadline, repair))
    }

    var allDrops: [String: Int] { .sum(stream, drops.named("media-")) }
}
