internal import DequeModule
package import HelioCore
internal import HelioMedia
package import HelioRTP
import HelioSDP

/// The sending end of a plain RTP audio stream (RFC 3640, RFC 7587, RFC 3551), beside `PlainSource`: packets are sent
/// at once, and sender reports use the same clock as the video's.
///
/// Timestamps are media times plus one offset, chosen so that the first packet's timestamp is its capture time: so a
/// player can align audio and video from the response to PLAY on.
package final class PlainSoundSource {
    private static let reportInterval = Duration.seconds(2)
    private static let clockRate: UInt32 = 48000

    package let encode: SoundEncode
    package private(set) var drops = DropCounter<PlainSource.Drop>()
    package private(set) var packetsSent = 0
    /// Bytes sent, counting whole packets.
    package private(set) var bytesSent = 0
    /// The share of packets lost lately, by the player's reports, 0...1.
    package private(set) var lossShare = 0.0

    private let stream: StreamSender
    private let format: SendFormat
    private let clockOffset: Duration
    /// A placeholder: players send no feedback from which bandwidth could be estimated.
    private var estimator: BandwidthEstimator
    private var packets = Deque<PlainSource.Packet>()
    private var nextReport: Instant?
    private var playedAt = Instant.zero
    private var isTooSlow = false
    /// The offset from media time to timestamp, in ticks; `nil` before the first packet.
    private var offset: Int64?
    /// The newest packet's media time, and its capture time.
    private var newest: (time: Int64, captured: Instant)?

    /// - Parameter clockOffset: the offset from an instant to the NTP time since 1900.
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
        // After a pause the sound may come from another capture.
        offset = nil
        newest = nil
    }

    package func pause() {
        stream.pause()
        nextReport = nil
        lossShare = 0
    }

    /// The values for `RTP-Info` (RFC 2326 section 12.33).
    package func position(now: Instant) -> (sequence: UInt16, timestamp: UInt32) {
        (stream.nextWireSequence, timestamp(at: now))
    }

    private func timestamp(at instant: Instant) -> UInt32 {
        guard let offset, let newest else { return UInt32(truncatingIfNeeded: MediaClock.soundTime(instant)) }
        let since = MediaClock.soundTime(.zero + (instant - newest.captured))
        return UInt32(truncatingIfNeeded: newest.time &+ offset &+ since)
    }

    // MARK: Sending

    /// - Parameter unsent: bytes for this peer that the system has not accepted yet.
    package func send(_ sound: EncodedSound, unsent: Int, now: Instant) {
        // Sound captured before PLAY precedes the position given in the response.
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
            // The marker is set at the end of an access unit (RFC 3640), or on the first packet after silence (RFC
            // 3551).
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
        // Players align the tracks by the first report.
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

    /// Handles the peer's reports; returns `false` where none is about this stream.
    package func handle(_ reports: [RTCPPacket]) -> Bool {
        var isOurs = false
        for case .receiverReport(let report) in reports {
            guard let block = report.reports.first(where: { $0.ssrc == ssrc }) else { continue }
            isOurs = true
            // In steps of 5 %, so that not every report changes the encoder's settings.
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
