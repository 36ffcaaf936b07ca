import HelioCongestion
package import HelioCore
package import HelioRTP
package import HelioRTSP

/// One player's stream, or the one that is published: plain RTP (RFC 6184, RFC 7798) with sender reports, without
/// protection and without Heliograph's own header extension.
///
/// Datagrams are paced, so that a keyframe does not overrun the receiver's socket. On the RTSP connection TCP decides:
/// what the system has not taken counts, and once that is too much whole frames are left out until a keyframe.
package final class PlayerMedia {
    package enum Packet {
        case media([UInt8])
        case reports([UInt8])
    }

    /// What the path throws away, by name; in frames unless it says otherwise.
    package enum Drop: String, Sendable, CaseIterable, Hashable {
        case awaitingKeyframe = "awaiting-keyframe"
        /// The connection takes less than the stream brings.
        case slowConnection = "slow-connection"
        /// Datagrams and channel data that are no RTCP.
        case malformedReports = "malformed-reports"
    }

    /// Unsent bytes at which a connection is too slow, and those at which it may go on with a keyframe.
    package static let mostUnsent = 1 << 20
    package static let fewUnsent = mostUnsent / 4
    private static let reportInterval = Duration.seconds(2)
    /// Reports come every 5 seconds: a loss is answered by a keyframe at most so often.
    private static let lossSpacing = Duration.seconds(1)

    package let transport: PlainTransport
    package let ssrc: SSRC
    package private(set) var drops = DropCounter<Drop>()
    package private(set) var isPlaying = false
    package private(set) var framesSent = 0
    package private(set) var packetsSent = 0
    package private(set) var bytesSent = 0

    private var packetizer: RTPPacketizer
    private var pacer: SendPacer?
    private var packets = OutputQueue<Packet>()
    private var payloadBytes = 0
    /// Added to an instant, it gives the time since 1900 that NTP counts.
    private let clockOffset: Duration
    private var nextReport: Instant?
    private var playedAt = Instant.zero
    /// The frame being sent; `nil` while frames are left out until a keyframe.
    private var sendingFrame: UInt64?
    private var isTooSlow = false
    private var needsKeyframe = false
    private var cumulativeLost: Int32 = 0
    private var lossAnswered: Instant?

    package init(_ transport: PlainTransport, format: VideoFormat, ssrc: SSRC, clockOffset: Duration) {
        self.transport = transport
        self.ssrc = ssrc
        self.clockOffset = clockOffset
        packetizer = RTPPacketizer(
            codec: format.codec, ssrc: ssrc, payloadType: PlayerDescription.payloadType,
            firstSequence: ExtendedSequence(UInt64(ssrc.rawValue & 0x7FFF)),
            maximumPacketSize: MediaSender.largestDatagram, timingExtensionID: nil)
        if case .datagrams = transport { pacer = SendPacer(target: format.bitrate) }
    }

    package func play(now: Instant) {
        guard !isPlaying else { return }
        isPlaying = true
        playedAt = now
        sendingFrame = nil
        needsKeyframe = true
        nextReport = now
    }

    package func pause() {
        isPlaying = false
        sendingFrame = nil
        needsKeyframe = false
        nextReport = nil
    }

    /// Of `RTP-Info` (RFC 2326 section 12.33): the first packet's number, and the timestamp of now.
    package func position(now: Instant) -> (sequence: UInt16, timestamp: UInt32) {
        (packetizer.nextSequence.wire, MediaClock.timestamp(now))
    }

    // MARK: Out

    /// - Parameter unsent: bytes for this player that the system has not taken yet.
    package func send(_ slice: EncodedSlice, unsent: Int, now: Instant) {
        guard isPlaying else { return }
        if slice.isFirst { begin(slice, unsent: unsent) }
        guard sendingFrame == slice.frameIndex else { return }
        if slice.isLast { framesSent += 1 }
        let kind = OutgoingPacket.Kind.media(frame: slice.frameIndex, isKeyframe: slice.isKeyframe)
        packetizer.packetize(
            slice, timestamp: MediaClock.timestamp(slice.timing.captured), sent: now, reserve: 0
        ) { (sequence: ExtendedSequence, packet: consuming [UInt8], headerLength: Int) in
            payloadBytes += packet.count - headerLength
            guard pacer != nil else { return put(packet) }
            pacer?.handle(OutgoingPacket(bytes: packet, kind: kind, sequence: sequence), now: now)
        }
        pump()
    }

    /// Decides whether a frame is sent when its first slice comes: whole frames stay or go.
    private func begin(_ slice: EncodedSlice, unsent: Int) {
        if unsent > Self.mostUnsent { isTooSlow = true }
        if isTooSlow {
            guard slice.isKeyframe, unsent <= Self.fewUnsent else {
                sendingFrame = nil
                return drops.count(.slowConnection)
            }
            isTooSlow = false
        }
        // What was captured before PLAY lies before the beginning that its answer told.
        if sendingFrame == nil, !slice.isKeyframe || slice.timing.captured < playedAt {
            return drops.count(.awaitingKeyframe)
        }
        if slice.isKeyframe { needsKeyframe = false }
        sendingFrame = slice.frameIndex
    }

    package func nextPacket() -> Packet? { packets.next() }

    private func pump() {
        while let output = pacer?.poll() {
            switch output {
            case .needKeyframe: needsKeyframe = true
            case .send(let packet): put(packet.bytes)
            }
        }
    }

    private func put(_ bytes: [UInt8]) {
        packetsSent += 1
        bytesSent += bytes.count
        packets.append(.media(bytes))
    }

    private func putReports(_ last: [RTCPPacket], now: Instant) {
        let report = SenderReport(
            ssrc: ssrc, ntpTime: MediaClock.ntp(now + clockOffset), rtpTimestamp: MediaClock.timestamp(now),
            packetCount: UInt32(truncatingIfNeeded: packetsSent), octetCount: UInt32(truncatingIfNeeded: payloadBytes))
        var bytes: [UInt8] = []
        for packet in [.senderReport(report), .sourceDescription([.init(ssrc: ssrc, cname: "heliograph")])] + last {
            packet.write(into: &bytes)
        }
        packets.append(.reports(bytes))
    }

    package func sayGoodbye(now: Instant) { putReports([.goodbye([ssrc])], now: now) }

    // MARK: In

    /// Hears what the player reports; `false` where it is nothing of this player's.
    package func hear(_ reports: [RTCPPacket], now: Instant) -> Bool {
        var isOurs = false
        for packet in reports {
            switch packet {
            case .receiverReport(let report):
                guard let block = report.reports.first(where: { $0.ssrc == ssrc }) else { continue }
                isOurs = true
                // Nobody asks again for what is lost here: only a keyframe mends the picture.
                if block.cumulativeLost > cumulativeLost { answerLoss(now) }
                cumulativeLost = max(cumulativeLost, block.cumulativeLost)
            case .pictureLoss(let loss) where loss.media == ssrc:
                isOurs = true
                answerLoss(now)
            case .fullIntraRequest(let request) where request.entries.contains { $0.ssrc == ssrc }:
                isOurs = true
                answerLoss(now)
            default: break
            }
        }
        return isOurs
    }

    package func countMalformedReports() { drops.count(.malformedReports) }

    private func answerLoss(_ now: Instant) {
        guard isPlaying, lossAnswered.map({ now - $0 >= Self.lossSpacing }) ?? true else { return }
        lossAnswered = now
        needsKeyframe = true
    }

    // MARK: Time

    package var deadline: Deadline? {
        Deadline.earliest(pacer?.deadline, nextReport.map { Deadline(at: $0, why: "sender report") })
    }

    package func tick(now: Instant) {
        pacer?.tick(now: now)
        pump()
        guard let due = nextReport, now >= due else { return }
        nextReport = now + Self.reportInterval
        putReports([], now: now)
    }

    /// Whether the encoder's next picture should be a keyframe for this player's sake.
    package func wantsKeyframe(unsent: Int) -> Bool {
        guard isPlaying else { return false }
        return isTooSlow ? unsent <= Self.fewUnsent : needsKeyframe
    }
}
