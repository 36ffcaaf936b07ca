import HelioCongestion
import HelioCore
import HelioProtection
import HelioRTP

/// The host's media to one viewer: packetise, protect, pace, send; hear its reports, and answer them.
///
/// Packetise, then protect (defect 1): the RTP header stays readable and is authenticated, the payload is sealed.
/// Nothing is sent before the viewer's first genuine datagram has shown where it is, and elsewhere than to the machine
/// that signalling comes from only once the viewer has answered there (`PathChallenge`): a forged address is never sent a
/// flood.
final class MediaSender {
    /// UDP payload that every path takes: IPv6's least MTU of 1280 less its headers.
    static let largestDatagram = 1232
    /// A viewer that says nothing for so long has vanished. It reports twice a second.
    static let vanishTime = Duration.seconds(5)
    private static let reportInterval = Duration.seconds(1)

    let ssrc: SSRC
    /// What the viewer says that its path carries, within bounds.
    private(set) var suggestedBitrate: Bitrate?
    /// The rate that was agreed on: no path is thought to carry more.
    var agreedBitrate: Bitrate {
        didSet { if agreedBitrate != oldValue { followSuggestion() } }
    }
    private(set) var roundTrip: Duration?
    private(set) var drops = DropCounter<MediaDrop>()
    private(set) var packetsSent = 0
    private(set) var bytesSent = 0
    private(set) var framesSent = 0
    private(set) var lastReport: ReportBlock?

    private let viewerSSRC: SSRC
    private var packetizer: RTPPacketizer
    private var sealer: SRTPSender
    private var opener: SRTPReceiver
    private var history = SendHistory()
    private var pacer: SendPacer
    /// Where the viewer has shown to be.
    private(set) var path: PathID?
    /// Where signalling comes from: that machine needs no proof. `nil`: not known.
    private let home: IPAddress?
    /// Somewhere else, where the viewer may be.
    private var challenge: PathChallenge?
    private var datagrams = OutputQueue<AddressedDatagram>()

    private var isPlaying = false
    private var lastHeard: Instant
    private var nextReport: Instant
    /// The frame being sent; `nil` while frames are skipped until a keyframe.
    private var sendingFrame: UInt64?
    private var needsKeyframe: KeyframeDemand.Wish?
    private var told: Bitrate?
    private var hasNewBitrate = false
    private var lastFIR: UInt8?

    /// - Parameter codec: what is coded now; it changes by `change(to:)`.
    init(
        offer: StreamOffer, codec: VideoCodec, viewerKey: SRTPMasterKey, ssrc: SSRC, viewerSSRC: SSRC,
        home: IPAddress?, crypto: any CryptoProvider, now: Instant
    ) throws(CryptoError) {
        self.ssrc = ssrc
        self.home = home
        self.viewerSSRC = viewerSSRC
        agreedBitrate = offer.format.bitrate
        sealer = try SRTPSender(key: offer.mediaKey, crypto: crypto)
        opener = try SRTPReceiver(key: viewerKey, crypto: crypto)
        packetizer = RTPPacketizer(
            codec: codec, ssrc: ssrc, payloadType: StreamOffer.payloadType(codec),
            firstSequence: ExtendedSequence(UInt64(ssrc.rawValue & 0x7FFF)),
            maximumPacketSize: Self.largestDatagram - sealer.rtpOverhead,
            timingExtensionID: StreamOffer.timingExtensionID)
        pacer = SendPacer(target: offer.format.bitrate)
        lastHeard = now
        nextReport = now + Self.reportInterval
    }

    /// The stream goes on in another codec, from its next keyframe on.
    func change(to codec: VideoCodec) {
        packetizer = RTPPacketizer(
            codec: codec, ssrc: ssrc, payloadType: StreamOffer.payloadType(codec),
            firstSequence: packetizer.nextSequence, maximumPacketSize: packetizer.maximumPacketSize,
            timingExtensionID: StreamOffer.timingExtensionID)
        sendingFrame = nil
    }

    /// - Parameter isFirst: false after a pause.
    func play(isFirst: Bool, now: Instant) {
        isPlaying = true
        // After a pause the viewer lacks what the next frames refer to.
        sendingFrame = nil
        lastHeard = now
        needsKeyframe = .init(isFirst ? "a viewer joined" : "a viewer goes on", isJoin: isFirst)
    }

    // MARK: Out

    func send(_ slice: EncodedSlice, now: Instant) {
        guard isPlaying, path != nil else { return drops.count(.beforeFirstReport) }
        if slice.isFirst {
            if sendingFrame == nil, !slice.isKeyframe { return drops.count(.awaitingKeyframe) }
            sendingFrame = slice.frameIndex
        }
        // A frame whose beginning was skipped, or of which a slice got lost on the way here, is of no use.
        guard sendingFrame == slice.frameIndex else { return drops.count(.awaitingKeyframe) }
        if slice.isLast { framesSent += 1 }
        let kind = OutgoingPacket.Kind.media(frame: slice.frameIndex, isKeyframe: slice.isKeyframe)
        packetizer.packetize(
            slice, timestamp: MediaClock.timestamp(slice.timing.captured), sent: now,
            reserve: sealer.rtpOverhead
        ) { (sequence: ExtendedSequence, packet: consuming [UInt8], headerLength: Int) in
            do {
                try sealer.protect(rtp: &packet, headerLength: headerLength, sequence: sequence)
            } catch {
                return drops.count(.protectionFailed)
            }
            pacer.handle(OutgoingPacket(bytes: packet, kind: kind, sequence: sequence), now: now)
        }
        pump(now)
    }

    func nextDatagram() -> AddressedDatagram? { datagrams.next() }

    private func pump(_ now: Instant) {
        while let output = pacer.poll() {
            switch output {
            case .needKeyframe:
                needsKeyframe = needsKeyframe ?? .init("the path is too slow")
            case .send(let packet):
                if let sequence = packet.sequence, packet.kind != .retransmission {
                    history.insert(packet.bytes, sequence: sequence, now: now)
                }
                put(packet.bytes)
            }
        }
    }

    private func put(_ bytes: [UInt8], to other: PathID? = nil) {
        guard let path = other ?? path else { return }
        packetsSent += 1
        bytesSent += bytes.count
        datagrams.append(AddressedDatagram(bytes: bytes, path: path))
    }

    private func putRTCP(_ packets: [RTCPPacket], to other: PathID? = nil) {
        var bytes: [UInt8] = []
        for packet in packets { packet.write(into: &bytes) }
        do {
            try sealer.protect(rtcp: &bytes)
            put(bytes, to: other)
        } catch {
            drops.count(.protectionFailed)
        }
    }

    // MARK: In

    func receive(
        _ datagram: consuming [UInt8], from path: PathID, now: Instant, random: inout some RandomNumberGenerator
    ) {
        var datagram = datagram
        guard RTCPPacket.isRTCP(datagram.span.bytes) else { return drops.count(.notRTCP) }
        do {
            let opened = try opener.open(rtcp: &datagram)
            guard opened.ssrc == viewerSSRC else { return drops.count(.notRTCP) }
        } catch {
            return drops.count(.notGenuine)
        }
        lastHeard = now
        guard let packets = RTCPPacket.parseCompound(datagram.span.bytes) else { return drops.count(.malformedRTCP) }
        follow(path, packets, now: now, random: &random)
        for packet in packets { hear(packet, now: now) }
        pump(now)
    }

    /// Media go where the viewer is heard from, once that is where it is.
    private func follow(
        _ path: PathID, _ packets: [RTCPPacket], now: Instant, random: inout some RandomNumberGenerator
    ) {
        if path == self.path { return }
        let isAnswered = packets.contains { packet in
            guard case .applicationDefined(let answer) = packet else { return false }
            return challenge?.isAnswered(by: answer, from: path) ?? false
        }
        // Another port of a machine that was proven is a new mapping of its NAT.
        if path.ip == home || path.ip == self.path?.ip || isAnswered {
            self.path = path
            challenge = nil
        } else if challenge?.path != path || challenge?.mayAsk(now: now) ?? true {
            // One that is asked again is asked the same: the first answer may be on its way.
            let asked = challenge?.path == path ? challenge : nil
            let challenge = asked ?? PathChallenge(path, now: now, random: &random)
            self.challenge = challenge
            putRTCP([challenge.question(from: ssrc)], to: path)
        }
    }

    private func hear(_ packet: RTCPPacket, now: Instant) {
        switch packet {
        case .receiverReport(let report):
            guard let block = report.reports.first(where: { $0.ssrc == ssrc }) else { return }
            lastReport = block
            if let time = MediaClock.roundTrip(block, now: now) {
                roundTrip = time
                history.resendSpacing = max(time, .milliseconds(2))
            }
        case .genericNACK(let nack) where nack.media == ssrc:
            for sequence in nack.lost {
                guard let (sequence, packet) = history.resend(sequence, now: now) else { continue }
                pacer.handle(OutgoingPacket(bytes: packet, kind: .retransmission, sequence: sequence), now: now)
            }
        case .pictureLoss(let loss) where loss.media == ssrc:
            needsKeyframe = needsKeyframe ?? .init("the viewer lost the picture")
        case .fullIntraRequest(let request):
            // A repeated request has the same number (RFC 5104 section 4.3.1.1).
            guard let entry = request.entries.first(where: { $0.ssrc == ssrc }), entry.sequence != lastFIR else {
                return
            }
            lastFIR = entry.sequence
            needsKeyframe = needsKeyframe ?? .init("the viewer asked for one")
        case .receiverEstimatedBitrate(let estimate):
            told = estimate.bitrate
            followSuggestion()
        default: break
        }
    }

    private func followSuggestion() {
        let believed = told?.believed(upTo: agreedBitrate)
        pacer.target = believed ?? agreedBitrate
        hasNewBitrate = hasNewBitrate || believed != suggestedBitrate
        suggestedBitrate = believed
    }

    // MARK: Time

    var deadline: Deadline? {
        let report = Deadline(at: nextReport, why: "sender report")
        let vanish = Deadline(at: lastHeard + Self.vanishTime, why: "viewer vanished")
        return Deadline.earliest(pacer.deadline, Deadline.earliest(report, vanish))
    }

    func tick(now: Instant) {
        pacer.tick(now: now)
        pump(now)
        if now >= nextReport {
            nextReport = now + Self.reportInterval
            if isPlaying, path != nil {
                putRTCP([
                    .senderReport(
                        SenderReport(
                            ssrc: ssrc, ntpTime: MediaClock.ntp(now), rtpTimestamp: MediaClock.timestamp(now),
                            packetCount: UInt32(truncatingIfNeeded: packetsSent),
                            octetCount: UInt32(truncatingIfNeeded: bytesSent), reports: [])),
                    .sourceDescription([SourceDescription(ssrc: ssrc, cname: "heliograph")]),
                ])
            }
        }
    }

    /// How long the viewer has been silent, once that is too long.
    func silence(now: Instant) -> Duration? {
        let silent = now - lastHeard
        return silent >= Self.vanishTime ? silent : nil
    }

    func sayGoodbye(now: Instant) {
        if path != nil { putRTCP([.receiverReport(ReceiverReport(ssrc: ssrc)), .goodbye([ssrc])]) }
    }

    /// Why this viewer wants a keyframe, once it is known where to send it.
    func takeKeyframeNeed() -> KeyframeDemand.Wish? {
        guard path != nil else { return nil }
        defer { needsKeyframe = nil }
        return needsKeyframe
    }

    /// Whether `suggestedBitrate` is another than at the last call.
    func takeNewBitrate() -> Bool {
        defer { hasNewBitrate = false }
        return hasNewBitrate
    }

    /// Everything that was thrown away on the way to this viewer, by name.
    var allDrops: [String: Int] {
        var all: [String: Int] = [:]
        for (name, count) in drops.named { all["media-\(name)"] = count }
        for (name, count) in pacer.drops.named { all["pacer-\(name)"] = count }
        for (name, count) in history.drops.named { all["resend-\(name)"] = count }
        for (name, count) in opener.drops.named { all["srtcp-\(name)"] = count }
        return all
    }

    var resent: Int { history.resent }
    /// Of the viewer's last report, 0...1.
    var loss: Double? { lastReport.map { Double($0.fractionLost) / 256 } }
}

/// What a host's media path throws away, by name.
enum MediaDrop: String, Sendable, CaseIterable, Hashable {
    /// The viewer has not shown yet where it is.
    case beforeFirstReport = "before-first-report"
    case awaitingKeyframe = "awaiting-keyframe"
    case protectionFailed = "protection-failed"
    case notRTCP = "not-rtcp"
    case notGenuine = "not-genuine"
    case malformedRTCP = "malformed-rtcp"
}
