internal import DequeModule
package import HelioCore
package import HelioMedia
package import HelioProtection
package import HelioRTP

/// The source's media to one viewer: encrypts what its stream sends, follows the viewer's path, takes its reports, and
/// answers them.
///
/// Packets are packetized, then encrypted (defect 1): the RTP header stays readable and is authenticated, the payload
/// is encrypted. Nothing is sent before the viewer's first genuine datagram has shown where it is, and to another
/// address than the signalling's only once the viewer has answered there (`PathChallenge`): a forged address is never
/// sent a flood.
///
/// Where UDP does not carry them, media and reports go inside the viewer's signalling connection (`carry(by:)`); what
/// comes by UDP then still tells where the viewer is, for the way back.
package final class SourceMedia {
    /// The largest UDP payload that every path takes: IPv6's least MTU of 1280 less its headers.
    static let largestDatagram = 1232
    /// The idle timeout of a viewer. It reports twice a second.
    static let vanishTime = Duration.seconds(5)
    private static let reportInterval = Duration.seconds(1)
    /// The silence by UDP after which the viewer is told of it on its connection.
    private static let doubtTime = Duration.seconds(2)
    /// The time within which a viewer may lack the picture that it begins with.
    private static let startTime = Duration.seconds(3)
    /// The least time between two pictures for a viewer that gets no others.
    private static let refreshInterval = Duration.seconds(2)

    /// The rate for the encoder: what the viewer's path is estimated to carry, at most the agreed bitrate, less what
    /// repair takes of it. Careful until it was measured.
    package private(set) var targetBitrate: Bitrate
    /// The agreed bitrate: nobody uses more.
    package private(set) var agreedBitrate: Bitrate
    package internal(set) var drops = DropCounter<MediaDrop>()
    package private(set) var packetsSent = 0
    /// Bytes sent, counting whole packets, reports too.
    package private(set) var bytesSent = 0
    /// The loss in the viewer's last report, 0...1.
    package private(set) var loss: Double?

    let stream: StreamSender
    let viewerSSRC: SSRC
    private var sealer: SRTPSender
    private var opener: SRTPReceiver
    var estimator: BandwidthEstimator
    /// The sound that was set up.
    var sounds: [SoundSending] = []
    var soundRate = SoundRate()
    /// What sound may take of the path beside the agreed bitrate.
    var soundAllowance = Bitrate(bitsPerSecond: 0)
    /// The viewer's voice, where it is set up.
    var voice: VoiceReceiving?
    private var planner = ParityPlanner()
    private var share = MediaShare()
    /// The path to the viewer, once it has shown where it is.
    package private(set) var path: PathID?
    /// The address that signalling comes from: that machine needs no proof. `nil`: not known.
    private let home: IPAddress?
    /// The challenge of another path, where the viewer may be.
    private var challenge: PathChallenge?
    private var datagrams = Deque<AddressedDatagram>()
    /// The way inside the viewer's connection.
    private var connection = ConnectionCarrier()
    /// When a question by UDP was last answered.
    private var probed: Instant?

    private var playedAt: Instant
    private var lastHeard: Instant
    /// True where the viewer is to be told, or was, that nothing has come since `lastHeard`.
    private var isDoubted = false
    private var owesDoubt = false
    private var nextReport: Instant
    private var quickReports = QuickMeasuring()
    private var hasNewBitrate = false
    /// When a request for a keyframe is looked at again that the path has no room for.
    private var keyframeHeld: Deadline?
    private var repairHeld: Deadline?
    /// When the encoder was last asked for a picture for a viewer that gets no others.
    private var refreshed: Instant?

    /// - Parameters:
    ///   - home: the address that signalling comes from; `nil`: not known.
    ///   - startBitrate: the rate that the path from there is known to carry; `nil`: it is begun with care.
    package init(
        offer: StreamOffer, viewerKey: SRTPMasterKey, ssrc: SSRC, retransmissionSSRC: SSRC, paritySSRC: SSRC,
        viewerSSRC: SSRC, home: IPAddress?, startBitrate: Bitrate? = nil, crypto: any CryptoProvider, now: Instant
    ) throws(CryptoError) {
        self.home = home
        self.viewerSSRC = viewerSSRC
        self.retransmissionSSRC = retransmissionSSRC
        self.paritySSRC = paritySSRC
        agreedBitrate = offer.format.bitrate
        sealer = try SRTPSender(key: offer.mediaKey, crypto: crypto)
        opener = try SRTPReceiver(key: viewerKey, crypto: crypto)
        estimator = BandwidthEstimator(most: offer.format.bitrate, start: startBitrate, isTransportWide: true)
        targetBitrate = estimator.estimate
        var configuration = StreamSender.Configuration(
            ssrc: ssrc, firstSequence: UInt16(ssrc.rawValue & 0x7FFF),
            largestPacket: Self.largestDatagram - sealer.rtpOverhead, rate: estimator.pacingRate)
        configuration.retransmissionSSRC = retransmissionSSRC
        configuration.parity = StreamSender.Parity(
            ssrc: paritySSRC, payloadType: StreamOffer.parityType,
            firstSequence: UInt16(paritySSRC.rawValue & 0x7FFF))
        configuration.isHostClock = true
        configuration.takesRepairs = true
        configuration.reserve = sealer.rtpOverhead
        stream = StreamSender(configuration)
        stream.agree(
            OutgoingExtensions(
                [TransportSequence(0).element(id: StreamOffer.transportSequenceID)],
                transportSequenceID: StreamOffer.transportSequenceID, timingID: StreamOffer.timingExtensionID,
                repairID: StreamOffer.repairID))
        lastHeard = now
        playedAt = now
        nextReport = now + Self.reportInterval
    }

    package var ssrc: SSRC { stream.ssrc }
    /// The SSRC of the retransmission stream (RFC 4588).
    package let retransmissionSSRC: SSRC
    /// The SSRC of the stream of parity.
    package let paritySSRC: SSRC

    /// Measures the round trip often for the next second: a viewer answers each report.
    package func measureOften(now: Instant) { quickReports.begin(now: now, next: &nextReport) }

    /// Leaves out everything up to the next keyframe, with which another codec begins.
    package func skipToKeyframe() { stream.skipToKeyframe() }

    /// Goes on with another encode, from its next keyframe on, which is asked for.
    package func changeEncode() { stream.changeEncode() }

    /// True where the viewer is sent a picture now and then, and none in between: its path carries far less than the
    /// others' who watch the same. To be set between two frames.
    package var isOnRefresh: Bool {
        get { stream.sendsEntriesOnly }
        set { stream.sendsEntriesOnly = newValue }
    }

    /// - Parameter isFirst: false after a pause.
    package func play(isFirst: Bool, now: Instant) {
        stream.play(KeyframeWish(isFirst ? "a viewer joined" : "a viewer goes on", isJoin: isFirst))
        lastHeard = now
        playedAt = now
        restartSound()
        // Tells that UDP works here, whenever the first picture comes.
        nextReport = now
        // The first picture is to keep to the rate that the path begins with.
        hasNewBitrate = true
    }

    // MARK: Out

    /// The largest payload of a slice that goes here.
    package var largestPayload: PacketizedSlice.Limits { stream.largestPayload }

    package func send(_ slice: borrowing PacketizedSlice, now: Instant) {
        guard isReachable else { return drops.count(.beforeFirstReport) }
        openRoom()
        let format = SendFormat(
            payloadType: StreamOffer.payloadType(slice.codec),
            repair: .retransmissionStream(StreamOffer.retransmissionType(slice.codec)))
        stream.send(slice, as: format, now: now)
        pump(now)
    }

    package func pollDatagram() -> AddressedDatagram? { datagrams.popFirst() }

    private func pump(_ now: Instant) {
        openRoom()
        if isReachable, stream.canProbe, let probe = estimator.pollProbe(now: now) { stream.begin(probe, now: now) }
        stream.pump(transport: &estimator, now: now) { (departure: consuming StreamSender.Departure) in
            guard case .packet(var packet, let headerLength, let sequence, _) = consume departure else { return }
            do {
                try sealer.protect(rtp: &packet, headerLength: headerLength, sequence: sequence)
            } catch {
                return drops.count(.protectionFailed)
            }
            put(packet)
        }
    }

    /// - Parameter other: the path of UDP to send to in any case.
    func put(_ bytes: [UInt8], to other: PathID? = nil) {
        if other == nil, connection.isOpen {
            let size = bytes.count
            guard connection.put(bytes) else { return drops.count(.connectionFull) }
            packetsSent += 1
            bytesSent += size
            return
        }
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

    // MARK: The connection

    /// The transport by which media go to the viewer.
    package var transport: StreamTransport { connection.isOpen ? .tcp : .udp }

    /// True where there is a way to the viewer.
    var isReachable: Bool { connection.isOpen || path != nil }

    /// Sends media and reports by this transport from now on.
    ///
    /// - Parameter isDegraded: true where the path before has turned bad: half as much is sent at first.
    func carry(by transport: StreamTransport, isDegraded: Bool, now: Instant) {
        guard transport != self.transport else { return }
        connection.isOpen = transport == .tcp
        let wasMeasured = estimator.controller.isMeasured
        estimator.changeTransport(now: now)
        if isDegraded { estimator.halve(now: now) }
        if wasMeasured {
            stream.pathChanged(now: now)
        } else {
            stream.restart(KeyframeWish("a viewer goes on over \(transport.rawValue.uppercased())", isJoin: true))
        }
        nextReport = now
        followEstimate(now)
        pump(now)
    }

    /// Takes the next frame for the viewer's connection.
    func pollFrame() -> [UInt8]? { connection.pollFrame() }

    /// Notes how many bytes of the viewer's connection the system has not taken yet.
    /// Counts bytes of signalling that take the same path: the picture's packets make room for them.
    func note(beside bytes: Int, now: Instant) { stream.note(beside: bytes, now: now) }

    func setUnsent(_ count: Int) { connection.unsent = count }

    /// The system has taken bytes of the connection: what waits may go on.
    func goOn(now: Instant) {
        guard connection.isOpen else { return }
        openRoom()
        stream.tick(now: now)
        pump(now)
    }

    private func openRoom() { stream.setRoom(connection.isOpen ? connection.room(at: estimator.pacingRate) : nil) }

    // MARK: In

    /// - Parameter path: where it came from; `nil`: on the viewer's connection.
    package func handle(
        _ datagram: consuming [UInt8], from path: PathID?, now: Instant, random: inout some RandomNumberGenerator
    ) {
        openRoom()
        var datagram = datagram
        guard RTCPPacket.isRTCP(datagram.span.bytes) else { return hear(datagram, now: now) }
        do {
            let opened = try opener.open(rtcp: &datagram)
            guard opened.ssrc == viewerSSRC else { return drops.count(.notRTCP) }
        } catch {
            return drops.count(.notGenuine)
        }
        lastHeard = now
        isDoubted = false
        guard let packets = RTCPPacket.parseCompound(datagram.span.bytes) else { return drops.count(.malformedRTCP) }
        if let path {
            follow(path, packets, now: now, random: &random)
            answerProbes(packets, from: path, now: now)
        }
        for packet in packets { handle(packet, now: now) }
        pump(now)
    }

    /// Moves media to the path that the viewer is heard from, once it is validated.
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
            // Another machine, or network, is another path: what is known of this one says nothing about it.
            if path.ip != self.path?.ip, !connection.isOpen { estimator.open(now: now) }
            if self.path == nil { nextReport = now }
            self.path = path
            challenge = nil
            if !connection.isOpen { stream.pathChanged(now: now) }
        } else if challenge?.path != path || challenge?.mayAsk(now: now) ?? true {
            // One that is asked again is asked the same: the first answer may be on its way.
            let asked = challenge?.path == path ? challenge : nil
            let challenge = asked ?? PathChallenge(path, now: now, random: &random)
            self.challenge = challenge
            putRTCP([challenge.question(from: ssrc)], to: path)
        }
    }

    /// Answers a question by UDP, on a validated path alone: the answers are many times as long.
    private func answerProbes(_ packets: [RTCPPacket], from path: PathID, now: Instant) {
        guard path == self.path else { return }
        for case .applicationDefined(let packet) in packets {
            guard let round = PathProbe.round(ofQuestion: packet) else { continue }
            if let probed, now - probed < PathProbe.spacing { continue }
            probed = now
            for answer in PathProbe.answers(to: round, from: ssrc) { putRTCP([answer], to: path) }
        }
    }

    private func handle(_ packet: RTCPPacket, now: Instant) {
        switch packet {
        case .receiverReport(let report):
            for sound in sounds {
                if let block = report.reports.first(where: { $0.ssrc == sound.ssrc }) { sound.handle(block, now: now) }
            }
            guard let block = report.reports.first(where: { $0.ssrc == ssrc }) else { return }
            loss = Double(block.fractionLost) / 256
            stream.handle(block, now: now)
            if let time = stream.statistics.roundTrip { estimator.setRoundTrip(time) }
        case .transportFeedback(let feedback):
            if let drop = estimator.handle(feedback, now: now) { drops.count(drop) }
            followEstimate(now)
        case .genericNACK(let nack) where nack.media == ssrc: stream.handle(nack, now: now)
        case .pictureLoss(let loss) where loss.media == ssrc:
            let hasPicture = stream.statistics.repairRequests > 0 || now - playedAt >= Self.startTime
            stream.handlePictureLoss(isLastResort: hasPicture)
        case .referenceSelection(let selection) where selection.media == ssrc: stream.handle(selection, now: now)
        case .fullIntraRequest(let request):
            for entry in request.entries where entry.ssrc == ssrc {
                stream.handleFullIntraRequest(entry, from: request.sender)
            }
        default: break
        }
    }

    /// Sets another agreed bitrate.
    package func agree(on bitrate: Bitrate, now: Instant) {
        guard bitrate != agreedBitrate else { return }
        agreedBitrate = bitrate
        setMost(now)
        followEstimate(now)
    }

    /// The most that is ever sent: the agreed bitrate, and sound beside it.
    var most: Bitrate { Bitrate(bitsPerSecond: agreedBitrate.bitsPerSecond + soundAllowance.bitsPerSecond) }

    func setMost(_ now: Instant) { estimator.setMost(most, now: now) }

    private func followEstimate(_ now: Instant) {
        stream.setRate(estimator.pacingRate)
        let roundTrip = stream.statistics.roundTrip ?? estimator.answerTime
        planner.update(estimator.losses, roundTrip: roundTrip, least: estimator.answerTime, now: now)
        // Nothing is lost on a connection.
        stream.parityPlan = connection.isOpen ? .none : planner.plan
        let sent = stream.statistics
        share.update(media: sent.bytes, repair: sent.parityBytes + sent.retransmittedBytes, now: now)
        followPathWithSound(now)
        let rate = min(agreedBitrate, soundRate.rest(of: estimator.estimate).scaled(by: share.share))
        guard rate != targetBitrate else { return }
        targetBitrate = rate
        hasNewBitrate = true
    }

    /// The rate that the path was seen to carry; `nil` where it was never measured.
    package var carriedBitrate: Bitrate? { estimator.carried }

    // MARK: Time

    package var deadline: Deadline? { .earliest(voice?.deadline, streamDeadline) }

    private var streamDeadline: Deadline? {
        let report = Deadline(at: nextReport, why: "sender report")
        let vanish = Deadline(at: lastHeard + Self.vanishTime, why: "viewer vanished")
        let held = Deadline.earliest(keyframeHeld, repairHeld ?? stream.repairDeadline)
        let sending = Deadline.earliest(stream.deadline, soundDeadline)
        let media = Deadline.earliest(.earliest(sending, estimator.deadline), held)
        let doubt = mayDoubt ? Deadline(at: lastHeard + Self.doubtTime, why: "nothing comes by UDP") : nil
        return .earliest(.earliest(media, doubt), .earliest(report, vanish))
    }

    package func tick(now: Instant) {
        estimator.tick(now: now)
        followEstimate(now)
        openRoom()
        stream.tick(now: now)
        pump(now)
        tickSound(now)
        voice?.tick(now: now)
        if mayDoubt, now - lastHeard >= Self.doubtTime { (isDoubted, owesDoubt) = (true, true) }
        guard now >= nextReport else { return }
        nextReport = now + (quickReports.isOn(now: now) ? QuickMeasuring.interval : Self.reportInterval)
        guard var report = stream.makeReport(now: now) else { return }
        if let block = voice?.makeReport(now: now) { report.reports.append(block) }
        putRTCP([
            .senderReport(report), .sourceDescription([SourceDescription(ssrc: ssrc, cname: "heliograph")]),
        ])
    }

    /// The time for which the viewer has been silent, once that exceeds the idle timeout.
    func silence(now: Instant) -> Duration? {
        let silent = now - lastHeard
        return silent >= Self.vanishTime ? silent : nil
    }

    private var mayDoubt: Bool { !isDoubted && path != nil && !connection.isOpen }

    /// Returns true once where nothing has come by UDP for a while: the viewer is to be told.
    func pollDoubt() -> Bool {
        defer { owesDoubt = false }
        return owesDoubt
    }

    package func sayGoodbye(now: Instant) {
        if isReachable { putRTCP([.receiverReport(ReceiverReport(ssrc: ssrc)), .goodbye([ssrc] + soundSSRCs)]) }
    }

    /// Takes this viewer's request for a repair picture, once its path is known and has room for one. To be asked
    /// before `pollKeyframeNeed`: where repairs don't help, a keyframe is wanted.
    package func pollRepairNeed(now: Instant) -> RepairWish? {
        repairHeld = nil
        guard isReachable, stream.owesRepair else { return nil }
        repairHeld = refreshDeadline(now) ?? estimator.overfullDeadline(now: now)
        guard repairHeld == nil, let wish = stream.pollRepair(now: now) else { return nil }
        if isOnRefresh { refreshed = now }
        return wish
    }

    /// The time of the next picture for a viewer that gets no others; `nil`: at once.
    private func refreshDeadline(_ now: Instant) -> Deadline? {
        guard isOnRefresh, let refreshed, now < refreshed + Self.refreshInterval else { return nil }
        return Deadline(at: refreshed + Self.refreshInterval, why: "a slow viewer is due a picture")
    }

    /// Takes this viewer's request for a keyframe, once its path is known and has room for one.
    package func pollKeyframeNeed(now: Instant) -> KeyframeWish? {
        keyframeHeld = nil
        guard isReachable, !stream.keyframes.isEmpty else { return nil }
        keyframeHeld = refreshDeadline(now) ?? estimator.overfullDeadline(now: now)
        guard keyframeHeld == nil, let wish = stream.keyframes.poll(now: now) else { return nil }
        if isOnRefresh { refreshed = now }
        return wish
    }

    /// Returns whether `targetBitrate` has changed since the last call.
    package func pollNewBitrate() -> Bool {
        defer { hasNewBitrate = false }
        return hasNewBitrate
    }

    // MARK: Statistics

    package var statistics: OutboundStatistics { stream.allStatistics }

    /// Counts of everything that was thrown away on the way to this viewer, by name.
    package var allDrops: [String: Int] {
        var all: [String: Int] = [:]
        stream.addDrops(to: &all)
        all.add(drops, as: "media-")
        all.add(opener.drops, as: "srtcp-")
        for sound in sounds { sound.addDrops(to: &all) }
        voice?.addDrops(to: &all)
        return all
    }
}
