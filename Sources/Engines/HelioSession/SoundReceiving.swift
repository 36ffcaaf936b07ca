import HelioCore
import HelioMedia
import HelioProtection
import HelioRTP

/// Receives the sound of one origin: decrypts packets with a key of its own, unpacks redundancy (RFC 2198), and maps
/// media times to the host's clock by sender reports.
///
/// Packets are output in order of arrival; the player reorders them.
final class SoundReceiving: DropCounting {
    enum Output {
        case sound(ReceivedSound)
        case clock(SoundClock)
    }

    let origin: SoundOrigin
    let ssrc: SSRC
    private let stream: StreamReceiver
    private var opener: SRTPReceiver
    private var drops = DropCounter<MediaDrop>()
    /// The sequence numbers of packets already output, whether received directly or as redundancy.
    private var given = ReplayWindow()
    /// The newest timestamp, unwrapped.
    private var time: Int64?
    private var repeated = 0

    init(
        _ sound: StreamOffer.Sound, ssrc: SSRC, takes: Set<SoundCodec>, crypto: any CryptoProvider
    ) throws(CryptoError) {
        origin = sound.origin
        self.ssrc = ssrc
        opener = try SRTPReceiver(key: sound.key, crypto: crypto)
        stream = StreamReceiver(.init(.agreed(ssrc)))
        var types = sound.codecs.filter(takes.contains).map(StreamOffer.payloadType)
        if types.contains(StreamOffer.payloadType(.opus)) { types.append(StreamOffer.redundancyType) }
        stream.agree(types.map { ReceiveFormat(payloadType: $0, video: nil, clockRate: 48_000) })
    }

    // MARK: Receiving

    /// Decrypts an RTP datagram.
    ///
    /// - Returns: the decrypted packet, its header and its extended sequence number; `nil`, counted as a drop, if the
    ///   packet is not authentic or malformed.
    func open(rtp datagram: consuming [UInt8]) -> (packet: [UInt8], header: RTPHeader, sequence: ExtendedSequence)? {
        var packet = datagram
        guard let opened = try? opener.open(rtp: &packet) else {
            drops.count(.notGenuine)
            return nil
        }
        guard let header = RTPHeader.parse(packet.span.bytes) else {
            drops.count(.malformedRTP)
            return nil
        }
        return (packet, header, opened.sequence)
    }

    /// Decrypts an RTCP datagram; returns `nil`, and counts a drop, if it is not authentic or malformed.
    func open(rtcp datagram: consuming [UInt8]) -> [RTCPPacket]? {
        var packet = datagram
        guard (try? opener.open(rtcp: &packet)) != nil else {
            drops.count(.notGenuine)
            return nil
        }
        guard let packets = RTCPPacket.parseCompound(packet.span.bytes) else {
            drops.count(.malformedRTCP)
            return nil
        }
        return packets
    }

    func handle(
        _ packet: [UInt8], _ header: RTPHeader, _ sequence: ExtendedSequence, now: Instant, _ give: (Output) -> Void
    ) {
        stream.handle(packet, header, sequence: sequence, now: now)
        while let output = stream.poll() {
            if case .packet(let packet) = output { take(packet, give) }
        }
    }

    private func take(_ packet: ReceivedPacket, _ give: (Output) -> Void) {
        // Skip a packet that consists of padding alone.
        guard !packet.payload.isEmpty else { return }
        let mediaTime = widened(packet.timestamp)
        let payload = Array(packet.bytes[packet.payload])
        guard packet.payloadType == StreamOffer.redundancyType else {
            return self.give(payload, packet.payloadType, packet.sequence, mediaTime, of: packet, give)
        }
        guard let all = RedundantPayload(payload.span.bytes) else { return drops.count(.malformedRedundancy) }
        for (index, block) in all.earlier.enumerated() {
            let back = UInt64(all.earlier.count - index)
            // Skip a redundant packet from before a silence: it would count as late, although the path was not slow.
            guard !block.payload.isEmpty, packet.sequence.rawValue >= back,
                Int64(block.timestampOffset) <= SoundRepeats.oldest
            else { continue }
            self.give(
                block.payload, block.payloadType, ExtendedSequence(packet.sequence.rawValue - back),
                mediaTime - Int64(block.timestampOffset), of: packet, isRedundant: true, give)
        }
        guard !all.payload.isEmpty else { return }
        self.give(all.payload, all.payloadType, packet.sequence, mediaTime, of: packet, give)
    }

    private func give(
        _ payload: [UInt8], _ type: PayloadType, _ sequence: ExtendedSequence, _ mediaTime: Int64,
        of packet: ReceivedPacket, isRedundant: Bool = false, _ give: (Output) -> Void
    ) {
        guard let codec = StreamOffer.soundCodec(type), codec == .opus || packet.payloadType == type else {
            return drops.count(.unknownPayloadType)
        }
        // A PCM frame is two channels of two bytes.
        if codec == .pcm, !payload.count.isMultiple(of: 4) { return drops.count(.malformedSound) }
        guard given.verdict(on: sequence.rawValue) == .fresh else { return }
        given.commit(sequence.rawValue)
        if isRedundant { repeated += 1 }
        give(
            .sound(
                ReceivedSound(
                    origin: origin, codec: codec, payload: payload, sequence: sequence, mediaTime: mediaTime,
                    beginsTalk: packet.marker && !isRedundant, isRedundant: isRedundant, arrival: packet.arrival)))
    }

    func handle(_ packet: RTCPPacket, now: Instant, _ give: (Output) -> Void) {
        guard case .senderReport(let report) = packet, stream.handle(report, now: now),
            let captured = MediaClock.instant(ntp: report.ntpTime)
        else { return }
        give(.clock(SoundClock(origin: origin, mediaTime: widened(report.rtpTimestamp), captured: captured)))
    }

    /// Unwraps a timestamp to the value nearest to the newest one.
    private func widened(_ timestamp: UInt32) -> Int64 {
        let value = time.map { MediaClock.widened(timestamp, near: $0) } ?? Int64(timestamp)
        time = max(time ?? value, value)
        return value
    }

    // MARK: Reports and statistics

    func makeReport(now: Instant) -> ReportBlock? { stream.makeReport(now: now) }

    /// Statistics since the sound was set up.
    var statistics: SinkStatistics.Sound {
        var all = SinkStatistics.Sound()
        all.packets = stream.statistics.packets
        all.lost = stream.statistics.packetsLost
        all.repeated = repeated
        all.bytes = stream.statistics.bytes
        return all
    }

    var allDrops: [String: Int] { .sum(stream, drops.named("sound-"), opener.drops.named("srtp-")) }
}
