internal import DequeModule
package import HelioCore
internal import HelioMedia
package import HelioRTP

/// The sender of an unencrypted RTP video stream (RFC 6184, RFC 7798) to a player, or to a server for recording. It
/// sends sender reports, but no header extensions.
///
/// Datagrams are paced, so that a keyframe does not overflow the receiver's socket buffer. Interleaved packets are not
/// paced; if too many bytes are unsent, frames are dropped until a keyframe.
package final class PlainSource: DropCounting {
    package enum Packet {
        case media([UInt8])
        case reports([UInt8])
    }

    /// The reason for dropping a frame, packet or report. The counts are numbers of frames unless a case says
    /// otherwise.
    package enum Drop: String, Sendable, CaseIterable, Hashable {
        case awaitingKeyframe = "awaiting-keyframe"
        /// The connection is slower than the stream.
        case slowConnection = "slow-connection"
        /// A packet of sound that is too large for an RTP packet.
        case unsendable = "sound-unsendable"
        /// A datagram or interleaved packet that is not valid RTCP.
        case malformedReports = "malformed-reports"
    }

    /// The maximum UDP payload on any path, in bytes: the minimum IPv6 MTU of 1280 bytes minus the IPv6 and UDP
    /// headers.
    package static let largestDatagram = 1232
    /// The number of unsent bytes above which frames are dropped (`mostUnsent`), and the number at or below which a
    /// keyframe ends the dropping (`fewUnsent`).
    package static let mostUnsent = 1 << 20
    package static let fewUnsent = mostUnsent / 4
    private static let reportInterval = Duration.seconds(2)
    /// The minimum time between keyframes in response to losses.
    private static let lossSpacing = Duration.seconds(1)

    private var drops = DropCounter<Drop>()
    package var allDrops: [String: Int] { .sum(drops, stream) }
    package private(set) var packetsSent = 0
    /// The number of bytes sent, with RTP headers.
    package private(set) var bytesSent = 0

    private let stream: StreamSender
    private let format: SendFormat
    private let codec: VideoCodec
    /// A bandwidth estimator without feedback, which `StreamSender` requires.
    private var estimator: BandwidthEstimator
    private var packets = Deque<Packet>()
    private var nextReport: Instant?
    private var playedAt = Instant.zero
    private var isTooSlow = false
    private var cumulativeLost: Int32 = 0
    private var lossAnswered: Instant?

    /// - Parameters:
    ///   - isPaced: true if the stream is sent in datagrams.
    ///   - clockOffset: the offset from an `Instant` to NTP time (since 1900).
    package init(
        _ format: VideoFormat, as type: PayloadType, ssrc: SSRC, isPaced: Bool, clockOffset: Duration
    ) {
        codec = format.codec
        self.format = SendFormat(payloadType: type, repair: .none)
        estimator = BandwidthEstimator(most: format.bitrate, isTransportWide: false)
        var configuration = StreamSender.Configuration(
            ssrc: ssrc, firstSequence: UInt16(ssrc.rawValue & 0x7FFF), largestPacket: Self.largestDatagram,
            rate: estimator.pacingRate)
        configuration.clockOffset = clockOffset
        configuration.isHostClock = true
        if !isPaced { configuration.pacer = nil }
        stream = StreamSender(configuration)
    }

    package var ssrc: SSRC { stream.ssrc }
    package var isPlaying: Bool { stream.isActive }
    package var framesSent: Int { stream.statistics.frames }

    package func play(now: Instant) {
        guard !isPlaying else { return }
        playedAt = now
        stream.play(KeyframeWish("a player needs one"))
        nextReport = now
    }

    package func pause() {
        stream.pause()
        nextReport = nil
    }

    /// The values for `RTP-Info` (RFC 2326 section 12.33): the first packet's sequence number, and the timestamp of
    /// `now`.
    package func position(now: Instant) -> (sequence: UInt16, timestamp: UInt32) {
        (stream.nextWireSequence, MediaClock.timestamp(now))
    }

    // MARK: Sending

    /// Packetizes and sends a slice.
    ///
    /// - Parameter unsent: the number of bytes written to this peer's connection that the kernel has not accepted yet.
    package func send(_ slice: EncodedSlice, unsent: Int, now: Instant) {
        guard isPlaying else { return }
        if slice.isFirst, !admits(slice, unsent: unsent) { return stream.skipToKeyframe() }
        guard !stream.awaitsKeyframe || slice.isFirst else { return }
        stream.send(PacketizedSlice(slice, codec: codec, limits: stream.largestPayload), as: format, now: now)
        pump(now)
    }

    /// Returns true if a frame is to be sent. The decision is made at the first slice, so that frames are sent or
    /// dropped as a whole.
    private func admits(_ slice: EncodedSlice, unsent: Int) -> Bool {
        if unsent > Self.mostUnsent { isTooSlow = true }
        if isTooSlow {
            guard slice.isKeyframe, unsent <= Self.fewUnsent else {
                drops.count(.slowConnection)
                return false
            }
            isTooSlow = false
        }
        // Drop frames captured before PLAY, as they precede the position in the response.
        if stream.awaitsKeyframe, !slice.isKeyframe || slice.timing.captured < playedAt {
            drops.count(.awaitingKeyframe)
            return false
        }
        return true
    }

    package func pollPacket() -> Packet? { packets.popFirst() }

    private func pump(_ now: Instant) {
        stream.pump(transport: &estimator, now: now) { (departure: consuming StreamSender.Departure) in
            guard case .packet(let bytes, _, _, _) = consume departure else { return }
            packetsSent += 1
            bytesSent += bytes.count
            packets.append(.media(bytes))
        }
    }

    private func putReports(_ last: [RTCPPacket], now: Instant) {
        let first: RTCPPacket =
            stream.makeReport(now: now).map { .senderReport($0) } ?? .receiverReport(ReceiverReport(ssrc: ssrc))
        var bytes: [UInt8] = []
        for packet in [first, .sourceDescription([.init(ssrc: ssrc, cname: "heliograph")])] + last {
            packet.write(into: &bytes)
        }
        packets.append(.reports(bytes))
    }

    package func sayGoodbye(now: Instant) { putReports([.goodbye([ssrc])], now: now) }

    // MARK: Receiving

    /// Handles the peer's reports and keyframe requests. Returns false if none of them concerns this stream.
    package func handle(_ reports: [RTCPPacket], now: Instant) -> Bool {
        var isOurs = false
        for packet in reports {
            switch packet {
            case .receiverReport(let report):
                guard let block = report.reports.first(where: { $0.ssrc == ssrc }) else { continue }
                isOurs = true
                // A keyframe is the only repair after a loss, as there is no retransmission.
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
        stream.keyframes.ask(KeyframeWish("a player lost the picture"))
    }

    // MARK: Timers

    package var deadline: Deadline? {
        Deadline.earliest(stream.deadline, nextReport.map { Deadline(at: $0, why: "sender report") })
    }

    package func tick(now: Instant) {
        stream.tick(now: now)
        pump(now)
        guard let due = nextReport, now >= due else { return }
        nextReport = now + Self.reportInterval
        putReports([], now: now)
    }

    /// Returns true if the encoder's next picture has to be a keyframe for this peer.
    package func wantsKeyframe(unsent: Int) -> Bool {
        guard isPlaying else { return false }
        return isTooSlow ? unsent <= Self.fewUnsent : !stream.keyframes.isEmpty
    }
}
