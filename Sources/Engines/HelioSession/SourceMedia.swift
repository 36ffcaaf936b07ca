internal import DequeModule
package import HelioCore
package import HelioMedia
package import HelioProtection
package import HelioRTP

/// The source's media to one viewer: encrypts the packets of its stream, adapts to the viewer's path, and handles the
/// viewer's reports.
///
/// Frames are packetized, and each packet is then encrypted: the RTP header is authenticated but readable, the payload
/// is encrypted. Nothing is sent by UDP until a genuine datagram has shown the viewer's address. If that address
/// differs from the signalling address, media are sent to it only after the viewer has answered a `PathChallenge` from
/// there, so that a forged address can't be flooded.
///
/// Media and reports are sent inside the viewer's signalling connection if UDP does not work (`carry(by:)`); datagrams
/// by UDP then still show the viewer's address, for a later return.
package final class SourceMedia: DropCounting {
    /// The maximum UDP payload in bytes that every path carries: IPv6's minimum MTU of 1280 less 48 bytes of IPv6 and
    /// UDP headers.
    static let largestDatagram = 1232
    /// The idle timeout of a viewer, which reports twice a second.
    static let vanishTime = Duration.seconds(5)
    private static let reportInterval = Duration.seconds(1)
    /// The silence by UDP after which the viewer is notified on its connection.
    private static let doubtTime = Duration.seconds(2)
    /// The time after PLAY for which a picture-loss indication may only mean that the first picture has not arrived
    /// yet.
    private static let startTime = Duration.seconds(3)

    /// The rate for the encoder: the estimate of the viewer's path, less the shares of sound and repair, and at most
    /// the agreed bitrate. It is low until the path was measured.
    package private(set) var targetBitrate: Bitrate
    /// The agreed bitrate, which is the maximum of `targetBitrate`.
    package private(set) var agreedBitrate: Bitrate
    package internal(set) var drops = DropCounter<MediaDrop>()
    package private(set) var packetsSent = 0
    /// Bytes sent, including packet headers and reports.
    package private(set) var bytesSent = 0
    /// The share of packets lost, by the viewer's last report, 0...1.
    package private(set) var loss: Double?

    let stream: StreamSender
    let viewerSSRC: SSRC
    private var sealer: SRTPSender
    private var opener: SRTPReceiver
    var estimator: BandwidthEstimator
    /// The sounds that were set up.
    var sounds: [SoundSending] = []
    var soundRate = SoundRate()
    /// The rate that sound may take on top of the agreed bitrate.
    var soundAllowance = Bitrate(bitsPerSecond: 0)
    /// The viewer's voice; `nil` if it is not set up.
    var voice: VoiceReceiving?
    private var planner = ParityPlanner()
    private var share = MediaShare()
    /// The validated path to the viewer by UDP; `nil` before there is one.
    package private(set) var path: PathID?
    /// The address of the viewer's signalling connection, which needs no validation; `nil` if unknown.
    private let home: IPAddress?
    /// The pending validation of another path to the viewer.
    private var challenge: PathChallenge?
    private var datagrams = Deque<AddressedDatagram>()
    /// The media inside the viewer's connection.
    private var connection = ConnectionCarrier()
    /// The time at which a UDP probe was last answered.
    private var probed: Instant?

    private var playedAt: Instant
    private var lastHeard: Instant
    /// True after a silence of `doubtTime` by UDP, until a datagram arrives, so that the viewer is notified only once
    /// of each silence.
    private var isDoubted = false
    private var owesDoubt = false
    private var nextReport: Instant
    private var quickReports = QuickMeasuring()
    private var hasNewBitrate = false
    private var turns = PictureTurns()

    /// - Parameters:
    ///   - home: the address of the viewer's signalling connection; `nil` if unknown.
    ///   - startBitrate: the bitrate that the path to `home` carried before; `nil`: unknown, so the rate starts low.
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
    /// The SSRC of the parity stream.
    package let paritySSRC: SSRC

    /// Sends sender reports often for the next second, to measure the round trip: the viewer answers each of them.
    package func measureOften(now: Instant) { quickReports.begin(now: now, next: &nextReport) }

    /// Drops all frames up to the next keyframe, at which another codec begins.
    package func skipToKeyframe() { stream.skipToKeyframe() }

    /// Switches to another encoding at its next keyframe, and requests that keyframe.
    package func changeEncode() { stream.changeEncode() }

    /// True if the viewer is "on refresh": it gets only occasional keyframes and repair pictures, as its path is far
    /// slower than the others'. To be set between two frames only.
    package var isOnRefresh: Bool {
        get { stream.sendsEntriesOnly }
        set { stream.sendsEntriesOnly = newValue }
    }

    /// Starts the media, or resumes them.
    ///
    /// - Parameter isFirst: false after a pause.
    package func play(isFirst: Bool, now: Instant) {
        stream.play(KeyframeWish(isFirst ? "a viewer joined" : "a viewer goes on", isJoin: isFirst))
        lastHeard = now
        playedAt = now
        restartSound()
        // An immediate report shows the viewer that UDP works, however late the first picture arrives.
        nextReport = now
        // Have the first picture encoded at the path's initial rate.
        hasNewBitrate = true
    }

    // MARK: Sending

    /// The maximum payload sizes of a slice's packets, in bytes.
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

    /// Queues an encrypted datagram.
    ///
    /// - Parameter other: the UDP path to send on, whichever transport is in use; `nil`: the transport in use.
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

    // MARK: Connection

    /// The transport of media to the viewer.
    package var transport: StreamTransport { connection.isOpen ? .tcp : .udp }

    /// True if media can be sent to the viewer.
    var isReachable: Bool { connection.isOpen || path != nil }

    /// Switches media and reports to a transport.
    ///
    /// - Parameter isDegraded: true if the previous path had degraded, so that the rate is halved at first.
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

    /// Returns the next frame for the viewer's connection.
    func pollFrame() -> [UInt8]? { connection.pollFrame() }

    /// Accounts for signalling bytes on the same path, which count against the rate of video.
    func note(beside bytes: Int, now: Instant) { stream.note(beside: bytes, now: now) }

    /// Sets the number of bytes written to the viewer's connection that the kernel has not accepted yet.
    func setUnsent(_ count: Int) { connection.unsent = count }

    /// Continues sending, as the kernel has accepted bytes of the connection.
    func goOn(now: Instant) {
        guard connection.isOpen else { return }
        openRoom()
        stream.tick(now: now)
        pump(now)
    }

    private func openRoom() { stream.setRoom(connection.isOpen ? connection.room(at: estimator.pacingRate) : nil) }

    // MARK: Receiving

    /// Handles a datagram from the viewer.
    ///
    /// - Parameter path: the path that the datagram arrived by; `nil`: it arrived inside the viewer's connection.
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

    /// Moves media to the path by which the viewer's datagrams arrive, once that path is validated.
    private func follow(
        _ path: PathID, _ packets: [RTCPPacket], now: Instant, random: inout some RandomNumberGenerator
    ) {
        if path == self.path { return }
        let isAnswered = packets.contains { packet in
            guard case .applicationDefined(let answer) = packet else { return false }
            return challenge?.isAnswered(by: answer, from: path) ?? false
        }
        // A new port of a validated address is a new NAT mapping, which needs no validation.
        if path.ip == home || path.ip == self.path?.ip || isAnswered {
            // A new address is a new path, to which the present estimate does not apply.
            if path.ip != self.path?.ip, !connection.isOpen { estimator.open(now: now) }
            if self.path == nil { nextReport = now }
            self.path = path
            challenge = nil
            if !connection.isOpen { stream.pathChanged(now: now) }
        } else if challenge?.path != path || challenge?.mayAsk(now: now) ?? true {
            // A repeated question carries the same token, as the first answer may be on its way.
            let asked = challenge?.path == path ? challenge : nil
            let challenge = asked ?? PathChallenge(path, now: now, random: &random)
            self.challenge = challenge
            putRTCP([challenge.question(from: ssrc)], to: path)
        }
    }

    /// Answers a UDP probe, but only on a validated path, as the answers are many times as large as the question.
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

    /// Sets another agreed bitrate, the maximum of `targetBitrate`.
    package func agree(on bitrate: Bitrate, now: Instant) {
        guard bitrate != agreedBitrate else { return }
        agreedBitrate = bitrate
        setMost(now)
        followEstimate(now)
    }

    /// The maximum of the path's estimate: the agreed bitrate plus the allowance for sound.
    var most: Bitrate { Bitrate(bitsPerSecond: agreedBitrate.bitsPerSecond + soundAllowance.bitsPerSecond) }

    func setMost(_ now: Instant) { estimator.setMost(most, now: now) }

    private func followEstimate(_ now: Instant) {
        stream.setRate(estimator.pacingRate)
        let roundTrip = stream.statistics.roundTrip ?? estimator.answerTime
        planner.update(estimator.losses, roundTrip: roundTrip, least: estimator.answerTime, now: now)
        // A TCP connection loses no packets, so parity would be useless.
        stream.parityPlan = connection.isOpen ? .none : planner.plan
        let sent = stream.statistics
        share.update(media: sent.bytes, repair: sent.parityBytes + sent.retransmittedBytes, now: now)
        followPathWithSound(now)
        let rate = min(agreedBitrate, soundRate.rest(of: estimator.estimate).scaled(by: share.share))
        guard rate != targetBitrate else { return }
        targetBitrate = rate
        hasNewBitrate = true
    }

    /// The measured bitrate of the path; `nil` if it was never measured.
    package var carriedBitrate: Bitrate? { estimator.carried }

    // MARK: Timers

    package var deadline: Deadline? { .earliest(voice?.deadline, streamDeadline) }

    private var streamDeadline: Deadline? {
        let report = Deadline(at: nextReport, why: "sender report")
        let vanish = Deadline(at: lastHeard + Self.vanishTime, why: "viewer vanished")
        let held = Deadline.earliest(turns.keyframeHeld, turns.repairHeld ?? stream.repairDeadline)
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

    /// The time for which the viewer has been silent; `nil` if it is shorter than the idle timeout.
    func silence(now: Instant) -> Duration? {
        let silent = now - lastHeard
        return silent >= Self.vanishTime ? silent : nil
    }

    private var mayDoubt: Bool { !isDoubted && path != nil && !connection.isOpen }

    /// Returns true once for each silence by UDP; the viewer must then be notified.
    func pollDoubt() -> Bool {
        defer { owesDoubt = false }
        return owesDoubt
    }

    package func sayGoodbye(now: Instant) {
        if isReachable { putRTCP([.receiverReport(ReceiverReport(ssrc: ssrc)), .goodbye([ssrc] + soundSSRCs)]) }
    }

    /// Returns this viewer's request for a repair picture, once its path is known and has room for one. Call it before
    /// `pollKeyframeNeed`, as the repair request may turn into a keyframe request.
    package func pollRepairNeed(now: Instant) -> RepairWish? {
        turns.repairHeld = nil
        guard isReachable, stream.owesRepair else { return nil }
        turns.repairHeld = wait(now)
        guard turns.repairHeld == nil, let wish = stream.pollRepair(now: now) else { return nil }
        if isOnRefresh { turns.took(now: now) }
        return wish
    }

    private func wait(_ now: Instant) -> Deadline? {
        turns.wait(isOnRefresh: isOnRefresh, overfull: estimator.overfullDeadline(now: now), now: now)
    }

    /// Returns this viewer's request for a keyframe, once its path is known and has room for one.
    package func pollKeyframeNeed(now: Instant) -> KeyframeWish? {
        turns.keyframeHeld = nil
        guard isReachable, !stream.keyframes.isEmpty else { return nil }
        turns.keyframeHeld = wait(now)
        guard turns.keyframeHeld == nil, let wish = stream.keyframes.poll(now: now) else { return nil }
        if isOnRefresh { turns.took(now: now) }
        return wish
    }

    /// Returns whether `targetBitrate` has changed since the last call.
    package func pollNewBitrate() -> Bool {
        defer { hasNewBitrate = false }
        return hasNewBitrate
    }

    // MARK: Statistics

    package var statistics: OutboundStatistics { stream.allStatistics }

    /// Counts of everything dropped in this viewer's media, in both directions, by name.
    package var allDrops: [String: Int] {
        .sum(stream, drops.named("media-"), opener.drops.named("srtcp-"), sounds.allDrops, voice)
    }
}
