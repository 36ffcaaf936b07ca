internal import DequeModule
package import HelioCore
internal import HelioMedia
package import HelioRTP
import HelioSDP

/// The sender of an unencrypted RTP audio stream (RFC 3640, RFC 7587, RFC 3551). Packets are not paced. The sender
/// reports use the same NTP clock as those of `PlainSource`.
///
/// Timestamps are media times plus a fixed offset, by which the first packet's timestamp is equal to its capture time.
/// So a player can synchronise audio and video with the values in the response to PLAY.
package final class PlainSoundSource: DropCounting {
    private static let reportInterval = Duration.seconds(2)
    private static let clockRate: UInt32 = 48000

    package let encode: SoundEncode
    private var drops = DropCounter<PlainSource.Drop>()
    package var allDrops: [String: Int] { .sum(drops, stream) }
    package private(set) var packetsSent = 0
    /// The number of bytes sent, with RTP headers.
    package private(set) var bytesSent = 0
    /// The share of lost packets in the player's last report, 0 ... 1.
    package private(set) var lossShare = 0.0

    private let stream: StreamSender
    private let format: SendFormat
    private let clockOffset: Duration
    /// A bandwidth estimator without feedback, which `StreamSender` requires.
    private var estimator: BandwidthEstimator
    private var packets = Deque<PlainSource.Packet>()
    private var nextReport: Instant?
    private var playedAt = Instant.zero
    private var isTooSlow = false
    /// The offset from media times to RTP timestamps, in ticks; `nil` before the first packet.
    private var offset: Int64?
    /// The media time and the capture time of the newest packet.
    private var newest: (time: Int64, captured: Instant)?

    /// - Parameter clockOffset: the offset from an `Instant` to NTP time (since 1900).
    package init(_ encode: SoundEncode, as type: PayloadType, ssrc: SSRC, clockOffset: Duration) {
        self.encode = encode
        self.clockOffset = clockOffset
        format = SendFormat(payloadType: type, clockRate: Self.clockRate, repair: .none)
        estimator = BandwidthEstimator(
            most: Bitrate(bitsPerSecond: encode.bitrate), isTransportWide: false)
        var configuration = StreamSender.Configuration(
            ssrc: ssrc, firstSequence: UInt16(ssrc.rawValue & 0x7FFF), largestPacket: PlainSource.largestDatagram,
            rate: estimator.pacingRate)
        configuration.clockOffset = clockOffset
        configuration.pacer = nil
        stream = StreamSender(configuration)
    }

    package var ssrc: SSRC { stream.ssrc }
    package var isPlaying: Bool { stream.isActive }

    package func play(now: Instant) {
        guard !isPlaying else { return }
        playedAt = now
        stream.play(nil)
        // The sound after a pause may be from another capture session, so it gets a new offset.
        offset = nil
        newest = nil
    }

    package func pause() {
        stream.pause()
        nextReport = nil
        lossShare = 0
    }

    /// The values for `RTP-Info` (RFC 2326 section 12.33): the first packet's sequence number, and the timestamp of
    /// `now`.
    package func position(now: Instant) -> (sequence: UInt16, timestamp: UInt32) {
        (stream.nextWireSequence, timestamp(at: now))
    }

    private func timestamp(at instant: Instant) -> UInt32 {
        guard let offset, let newest else { return UInt32(truncatingIfNeeded: MediaClock.soundTime(instant)) }
        let since = MediaClock.soundTime(.zero + (instant - newest.captured))
        return UInt32(truncatingIfNeeded: newest.time &+ offset &+ since)
    }

    // MARK: Sending

    /// Packetizes and sends encoded sound.
    ///
    /// - Parameter unsent: the number of bytes written to this peer's connection that the kernel has not accepted yet.
    package func send(_ sound: EncodedSound, unsent: Int, now: Instant) {
        // Drop sound captured before PLAY, as it precedes the position in the response.
        guard isPlaying, sound.encode == encode, sound.captured >= playedAt else { return }
        if unsent > PlainSource.mostUnsent { isTooSlow = true }
        if isTooSlow {
            guard unsent <= PlainSource.fewUnsent else { return drops.count(.slowConnection) }
            isTooSlow = false
        }
        let isFirst = offset == nil
        let shift = offset ?? MediaClock.soundTime(sound.captured) - sound.mediaTime
        let payloads: [[UInt8]]
        switch encode.codec {
        case .aac:
            guard let parts = AACPayload.write(sound.payload, limit: stream.largestPayload.other) else {
                return drops.count(.unsendable)
            }
            payloads = parts
        case .opus, .pcm:
            guard sound.payload.count <= stream.largestPayload.other else { return drops.count(.unsendable) }
            payloads = [sound.payload]
        }
        offset = shift
        newest = (sound.mediaTime, sound.captured)
        let timestamp = UInt32(truncatingIfNeeded: sound.mediaTime &+ shift)
        for (index, payload) in payloads.enumerated() {
            // AAC sets the marker at the end of an access unit (RFC 3640), other codecs on the first packet after
            // silence (RFC 3551).
            let marker = encode.codec == .aac ? index == payloads.count - 1 : isFirst || sound.beginsTalk
            stream.send(
                packet: payload, timestamp: timestamp, marker: marker, as: format, transport: &estimator, now: now
            ) { (departure: consuming StreamSender.Departure) in
                guard case .packet(let bytes, _, _, _) = consume departure else { return }
                packetsSent += 1
                bytesSent += bytes.count
                packets.append(.media(bytes))
            }
        }
        // Players synchronise the tracks with the first report.
        if isFirst { report(now: now) }
    }

    package func pollPacket() -> PlainSource.Packet? { packets.popFirst() }

    private func report(now: Instant) {
        nextReport = now + Self.reportInterval
        putReports([], now: now)
    }

    private func putReports(_ last: [RTCPPacket], now: Instant) {
        var first = RTCPPacket.receiverReport(ReceiverReport(ssrc: ssrc))
        if var report = stream.makeReport(now: now) {
            report.rtpTimestamp = timestamp(at: now)
            first = .senderReport(report)
        }
        var bytes: [UInt8] = []
        for packet in [first, .sourceDescription([.init(ssrc: ssrc, cname: "heliograph")])] + last {
            packet.write(into: &bytes)
        }
        packets.append(.reports(bytes))
    }

    package func sayGoodbye(now: Instant) { putReports([.goodbye([ssrc])], now: now) }

    // MARK: Receiving

    /// Handles the peer's reports. Returns false if none of them concerns this stream.
    package func handle(_ reports: [RTCPPacket]) -> Bool {
        var isOurs = false
        for case .receiverReport(let report) in reports {
            guard let block = report.reports.first(where: { $0.ssrc == ssrc }) else { continue }
            isOurs = true
            // Round up to steps of 5 %, so that few reports change the encoder settings.
            lossShare = (Double(block.fractionLost) / 256 * 20).rounded(.up) / 20
        }
        return isOurs
    }

    package func countMalformedReports() { drops.count(.malformedReports) }

    // MARK: Timers

    package var deadline: Deadline? { nextReport.map { Deadline(at: $0, why: "sender report") } }

    package func tick(now: Instant) {
        if let due = nextReport, now >= due { report(now: now) }
    }
}

extension SentMedia {
    /// Adds what the sources of one receiver's picture and sound have sent.
    package mutating func add(_ picture: PlainSource?, _ sound: PlainSoundSource?) {
        frames += picture?.framesSent ?? 0
        soundPackets += sound?.packetsSent ?? 0
        packets += (picture?.packetsSent ?? 0) + (sound?.packetsSent ?? 0)
        bytes += (picture?.bytesSent ?? 0) + (sound?.bytesSent ?? 0)
    }
}
