internal import DequeModule
package import HelioCore
internal import HelioMedia
package import HelioRTP

/// The sending end of a plain RTP video stream (RFC 6184, RFC 7798), to a player of ours or a server that records: with
/// sender reports, but without encryption and without Heliograph's own header extensions.
///
/// Datagrams are paced, so that a keyframe does not overrun the receiver's socket buffer. Over the RTSP connection, TCP
/// does the pacing: once too many bytes are unsent, whole frames are dropped up to a keyframe.
package final class PlainSource {
    package enum Packet {
        case media([UInt8])
        case reports([UInt8])
    }

    /// A reason for which a frame, packet or report is dropped, by name; counted in frames unless a case says
    /// otherwise.
    package enum Drop: String, Sendable, CaseIterable, Hashable {
        case awaitingKeyframe = "awaiting-keyframe"
        /// The connection is slower than the stream.
        case slowConnection = "slow-connection"
        /// A packet of sound that is larger than a player accepts.
        case unsendable = "sound-unsendable"
        /// Datagrams or channel data that are no valid RTCP.
        case malformedReports = "malformed-reports"
    }

    /// The largest UDP payload that every path takes: IPv6's least MTU of 1280 less its headers.
    package static let largestDatagram = 1232
    /// The unsent bytes above which a connection counts as too slow, and those up to which it resumes, with a keyframe.
    package static let mostUnsent = 1 << 20
    package static let fewUnsent = mostUnsent / 4
    private static let reportInterval = Duration.seconds(2)
    /// The least time between keyframes in response to losses; players report every 5 seconds.
    private static let lossSpacing = Duration.seconds(1)

    package private(set) var drops = DropCounter<Drop>()
    package private(set) var packetsSent = 0
    /// Bytes sent, counting whole packets.
    package private(set) var bytesSent = 0

    private let stream: StreamSender
    private let format: SendFormat
    private let codec: VideoCodec
    /// A placeholder: players send no feedback from which bandwidth could be estimated.
    private var estimator: BandwidthEstimator
    private var packets = Deque<Packet>()
    private var nextReport: Instant?
    private var playedAt = Instant.zero
    private var isTooSlow = false
    private var cumulativeLost: Int32 = 0
    private var lossAnswered: Instant?

    /// - Parameters:
    ///   - isPaced: true where the stream is sent as datagrams.
    ///   - clockOffset: the offset from an instant to the NTP time since 1900.
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

    /// The values for `RTP-Info` (RFC 2326 section 12.33): the first packet's sequence number, and the timestamp that
    /// stands for `now`.
    package func position(now: Instant) -> (sequence: UInt16, timestamp: UInt32) {
        (stream.nextWireSequence, MediaClock.timestamp(now))
    }

    // MARK: Sending

    /// - Parameter unsent: bytes for this peer that the system has not accepted yet.
    package func send(_ slice: EncodedSlice, unsent: Int, now: Instant) {
        guard isPlaying else { return }
        if slice.isFirst, !admits(slice, unsent: unsent) { return stream.skipToKeyframe() }
        guard !stream.awaitsKeyframe || slice.isFirst else { return }
        stream.send(PacketizedSlice(slice, codec: codec, limits: stream.largestPayload), as: format, now: now)
        pump(now)
    }

    /// Returns whether to send a frame, at its first slice: frames are sent or dropped whole.
    private func admits(_ slice: EncodedSlice, unsent: Int) -> Bool {
        if unsent > Self.mostUnsent { isTooSlow = true }
        if isTooSlow {
            guard slice.isKeyframe, unsent <= Self.fewUnsent else {
                drops.count(.slowConnection)
                return false
            }
            isTooSlow = false
        }
        // Frames captured before PLAY precede the position given in the response.
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

    /// Handles the peer's reports; returns `false` where none is about this stream.
    package func handle(_ reports: [RTCPPacket], now: Instant) -> Bool {
        var isOurs = false
        for packet in reports {
            switch packet {
            case .receiverReport(let report):
                guard let block = report.reports.first(where: { $0.ssrc == ssrc }) else { continue }
                isOurs = true
                // Plain RTP has no retransmission, so only a keyframe repairs the picture.
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

    /// Returns whether this peer needs the encoder's next picture to be a keyframe.
    package func wantsKeyframe(unsent: Int) -> Bool {
        guard isPlaying else { return false }
        return isTooSlow ? unsent <= Self.fewUnsent : !stream.keyframes.isEmpty
    }
}
