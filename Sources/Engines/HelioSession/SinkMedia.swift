internal import DequeModule
package import HelioCore
package import HelioMedia
package import HelioProtection
import HelioRTP

/// The media of a session at the viewer: decrypts packets, outputs the frames of its stream, and sends reports.
///
/// Packets are authenticated and decrypted, then checked for replay, then reordered and reassembled.
package final class SinkMedia: DropCounting {
    package enum Output {
        /// A datagram to be sent by the transport in use.
        case datagram([UInt8])
        /// A datagram to be sent by UDP, whatever transport the media use.
        case probe([UInt8])
        /// Request this transport from the host, on the connection.
        case askTransport(StreamTransport, TransportReason)
        /// Send a keep-alive on the signalling connection, to check whether the host answers.
        case checkConnection
        case part(ReceivedPart)
        case frame(ReceivedFrame)
        case sound(ReceivedSound)
        case soundClock(SoundClock)
        case goodbye
    }

    /// The idle timeout of a host, which reports every second, even while the picture is still.
    static let vanishTime = Duration.seconds(5)
    private static let reportInterval = Duration.milliseconds(500)
    /// The minimum time between two reports that answer the host's own reports.
    private static let quickReportInterval = Duration.milliseconds(25)
    /// The time after the first report at which it is repeated if no media have arrived.
    private static let firstPatience = Duration.milliseconds(40)

    private let hostSSRC: SSRC
    let viewerSSRC: SSRC
    private let stream: StreamReceiver
    private var opener: SRTPReceiver
    private var sealer: SRTPSender
    var arrivals = TransportArrivals()
    /// The sound streams that were set up.
    var sounds: [SoundReceiving] = []
    /// The viewer's own voice; `nil` unless its stream was set up.
    var voice: VoiceSending?
    private var chooser: TransportChooser
    private var drops = DropCounter<MediaDrop>()
    private var bytesReceived = 0
    /// Outputs that wait for `poll`.
    private var outputs = Deque<Output>()

    /// The time of the last input.
    private var now: Instant
    private var lastHeard: Instant
    private var lastReport: Instant
    /// True once a media packet has arrived.
    private var hasMedia = false
    /// The time after which the last report is repeated if no media have arrived; doubled at each repetition, up to the
    /// report interval. The report may have been lost, and the host sends no media by UDP before it has received a
    /// report.
    private var patience = SinkMedia.firstPatience

    package init(
        offer: StreamOffer, viewerKey: SRTPMasterKey, hostSSRC: SSRC, retransmissionSSRC: SSRC, paritySSRC: SSRC,
        viewerSSRC: SSRC, transport: TransportPolicy = .automatic, handsOutParts: Bool = false,
        crypto: any CryptoProvider, now: Instant
    ) throws(CryptoError) {
        chooser = TransportChooser(transport)
        self.hostSSRC = hostSSRC
        self.viewerSSRC = viewerSSRC
        opener = try SRTPReceiver(key: offer.mediaKey, crypto: crypto)
        sealer = try SRTPSender(key: viewerKey, crypto: crypto)
        var configuration = StreamReceiver.Configuration(.agreed(hostSSRC))
        // Wait three round trips for retransmissions: a keyframe would take as long as one and a half retransmissions,
        // and costs all viewers more.
        configuration.jitterBuffer.leastRoundTrips = 3
        configuration.jitterBuffer.handsOutParts = handsOutParts
        configuration.stampedElements = [StreamOffer.transportSequenceID]
        stream = StreamReceiver(configuration, first: Self.format(offer.format.codec))
        stream.agree(
            VideoCodec.allCases.map(Self.format), retransmissions: [hostSSRC: retransmissionSSRC],
            parity: (paritySSRC, StreamOffer.parityType))
        self.now = now
        lastHeard = now
        lastReport = now
    }

    private static func format(_ codec: VideoCodec) -> ReceiveFormat {
        var format = ReceiveFormat(payloadType: StreamOffer.payloadType(codec), video: codec)
        format.retransmissionType = StreamOffer.retransmissionType(codec)
        format.takesNACK = true
        format.takesPictureLoss = true
        format.takesFullIntraRequest = true
        format.givesRepairs = true
        return format
    }

    /// Returns the next output. Outputs of the stream and of the transport chooser are mapped one at a time.
    package func poll() -> Output? { outputs.popFirst() ?? pollParts() }

    private func pollParts() -> Output? {
        while let output = stream.poll() {
            if let output = map(output) { return output }
        }
        while let order = chooser.poll() {
            if let output = map(order) { return output }
        }
        return nil
    }

    private func map(_ output: StreamReceiver.Output) -> Output? {
        switch output {
        case .part(let part): return .part(part)
        case .frame(let frame): return .frame(frame)
        case .restored(let packet, let sequence):
            receive(packet, sequence: sequence, isRestored: true, now: now)
            return nil
        case .nack, .pictureLoss, .referenceSelection, .fullIntraRequest:
            return output.request(from: viewerSSRC).flatMap { seal([$0]) }.map { .datagram($0) }
        case .orientation, .packet: return nil
        }
    }

    private func map(_ order: TransportChooser.Order) -> Output? {
        switch order {
        case .change(let transport, let reason): .askTransport(transport, reason)
        case .checkConnection: .checkConnection
        case .question(let round): seal([PathProbe.question(round, from: viewerSSRC)]).map { .probe($0) }
        }
    }

    // MARK: Receiving

    /// Handles a datagram from the host.
    ///
    /// - Parameter transport: the transport that the datagram arrived by.
    package func handle(_ datagram: consuming [UInt8], by transport: StreamTransport = .udp, now: Instant) {
        self.now = now
        var datagram = datagram
        bytesReceived += datagram.count
        let isRTCP = RTCPPacket.isRTCP(datagram.span.bytes)
        if let sound = sound(of: datagram, isRTCP: isRTCP) {
            receive(datagram, of: sound, isRTCP: isRTCP, by: transport, now: now)
        } else if isRTCP {
            do {
                _ = try opener.open(rtcp: &datagram)
            } catch {
                return drops.count(.notGenuine)
            }
            hear(by: transport, now)
            guard let packets = RTCPPacket.parseCompound(datagram.span.bytes) else { return drops.count(.malformed) }
            for packet in packets { handle(packet, by: transport, now: now) }
        } else {
            receiveRTP(datagram, by: transport, now: now)
        }
    }

    /// Notes that a genuine datagram has arrived.
    private func hear(by transport: StreamTransport, _ now: Instant) {
        lastHeard = now
        if transport == .udp { chooser.heardByUDP(now: now) }
    }

    /// Returns true if datagrams have arrived by UDP for this time without a long gap.
    func hasComeSteadily(for time: Duration, now: Instant) -> Bool {
        chooser.hasHeardSteadily(for: time, now: now)
    }

    private func receiveRTP(_ datagram: consuming [UInt8], by transport: StreamTransport, now: Instant) {
        var packet = datagram
        let opened: SRTPReceiver.OpenedRTP
        do {
            opened = try opener.open(rtp: &packet)
        } catch {
            return drops.count(.notGenuine)
        }
        hear(by: transport, now)
        hasMedia = true
        receive(packet, sequence: opened.sequence, isRestored: false, now: now)
    }

    /// Notes that a genuine datagram of sound has arrived.
    func noteSound(by transport: StreamTransport, _ now: Instant) {
        hear(by: transport, now)
        hasMedia = true
    }

    func put(_ output: Output) { outputs.append(output) }

    /// Counts sound received before it could be played.
    func countEarlySound() { drops.count(.earlySound) }

    /// Passes a decrypted packet to its stream.
    ///
    /// - Parameter isRestored: true if the packet was lost and then restored from parity; the feedback to the host
    ///   counts it as lost.
    private func receive(_ packet: [UInt8], sequence: ExtendedSequence, isRestored: Bool, now: Instant) {
        let bytes = packet.span.bytes
        guard let header = RTPHeader.parse(bytes) else { return drops.count(.malformed) }
        let timing = RTPHeaderExtension.find(id: StreamOffer.timingExtensionID, of: header, in: bytes)
            .flatMap { FrameTimingExtension.parse(bytes.extracting($0)) }
        let repair = RepairExtension(id: StreamOffer.repairID, of: header, in: bytes)
        if !isRestored,
            let number = TransportSequence(id: StreamOffer.transportSequenceID, of: header, in: bytes)
        {
            arrivals.note(number.number, arrival: now)
        }
        stream.handle(
            packet, header, sequence: sequence, timing: timing, repairsSince: repair?.since, isRestored: isRestored,
            now: now)
    }

    private func handle(_ packet: RTCPPacket, by transport: StreamTransport, now: Instant) {
        switch packet {
        case .senderReport(let report):
            stream.handle(report, now: now)
            for block in report.reports where block.ssrc == viewerSSRC { voice?.handle(block, now: now) }
            // The host measures the round trip by this report.
            if now - lastReport >= Self.quickReportInterval { self.report(now: now) }
        case .applicationDefined(let packet):
            if transport == .udp, let answer = PathChallenge.answer(to: packet, from: viewerSSRC) {
                if let bytes = seal([answer]) { outputs.append(.probe(bytes)) }
            } else if transport == .udp, let answer = PathProbe.answer(packet) {
                chooser.take(answer)
            }
        case .goodbye(let sources): if stream.handleGoodbye(sources) { outputs.append(.goodbye) }
        default: break
        }
    }

    package func setRoundTrip(_ time: Duration) {
        stream.setRoundTrip(time, now: lastHeard)
        chooser.setRoundTrip(time)
    }

    func requestKeyframe(now: Instant) { stream.decoderFailed(now: now) }

    // MARK: Transport

    /// The transport that both ends have agreed on.
    var transport: StreamTransport { chooser.current }

    /// Notes that PLAY was answered, so media should arrive from now on.
    func play(now: Instant) { chooser.play(now: now) }

    /// Notes that data has arrived on the connection.
    func heardOnConnection(now: Instant) {
        self.now = now
        chooser.heardOnConnection(now: now)
    }

    /// Handles the host's notice that it receives nothing by UDP.
    func isUnheard(now: Instant) { chooser.isUnheard(now: now) }

    /// Handles the host's answer to the request for another transport, which arrived with the last input.
    ///
    /// - Returns: the new transport and its reason; `nil` if nothing changes.
    func answeredTransport(isGranted: Bool) -> (StreamTransport, TransportReason)? {
        let change = chooser.answered(isGranted: isGranted, now: now)
        if change != nil { report(now: now) }
        return change
    }

    // MARK: Sending

    /// Sends a receiver report now, whether or not it is due.
    package func report(now: Instant) {
        lastReport = now
        let blocks = (stream.makeReport(now: now).map { [$0] } ?? []) + soundReports(now: now)
        putRTCP([
            .receiverReport(ReceiverReport(ssrc: viewerSSRC, reports: blocks)),
            .sourceDescription([SourceDescription(ssrc: viewerSSRC, cname: "heliograph")]),
        ])
    }

    /// Sends transport-wide feedback on packets' arrivals, once it is due.
    private func putFeedback(now: Instant) {
        for feedback in arrivals.pollFeedback(sender: viewerSSRC, media: hostSSRC, now: now) {
            chooser.note(expected: feedback.deltas.count, lost: feedback.deltas.count { $0 == nil })
            putRTCP([.transportFeedback(feedback)])
        }
    }

    func sayGoodbye() {
        putRTCP([.receiverReport(ReceiverReport(ssrc: viewerSSRC)), .goodbye([viewerSSRC])])
    }

    private func putRTCP(_ packets: [RTCPPacket]) {
        if let bytes = seal(packets) { outputs.append(.datagram(bytes)) }
    }

    /// Encrypts packets into one datagram; returns `nil`, and counts a drop, if that fails.
    private func seal(_ packets: [RTCPPacket]) -> [UInt8]? {
        var bytes: [UInt8] = []
        for packet in packets { packet.write(into: &bytes) }
        do {
            try sealer.protect(rtcp: &bytes)
            return bytes
        } catch {
            drops.count(.protectionFailed)
            return nil
        }
    }

    // MARK: Timers

    package var deadline: Deadline? {
        let report = Deadline(at: nextReport, why: hasMedia ? "receiver report" : "no media have come")
        let vanish = Deadline(at: lastHeard + Self.vanishTime, why: "host vanished")
        let feedback = arrivals.dueAt.map { Deadline(at: $0, why: "transport-wide feedback") }
        let media = Deadline.earliest(.earliest(stream.deadline, feedback), chooser.deadline)
        return .earliest(media, .earliest(report, vanish))
    }

    package func tick(now: Instant) {
        self.now = now
        stream.tick(now: now)
        chooser.tick(now: now)
        // Requests are sent before the reports that are due at the same time.
        while let output = pollParts() { outputs.append(output) }
        putFeedback(now: now)
        guard now >= nextReport else { return }
        if !hasMedia { patience = min(patience * 2, Self.reportInterval) }
        report(now: now)
    }

    private var nextReport: Instant { lastReport + (hasMedia ? Self.reportInterval : patience) }

    /// The time for which the host has been silent; `nil` if it is shorter than the idle timeout.
    func silence(now: Instant) -> Duration? {
        let silent = now - lastHeard
        return silent >= Self.vanishTime ? silent : nil
    }

    // MARK: Statistics

    package var statistics: SinkStatistics {
        var all = SinkStatistics(video: stream.statistics, bytesReceived: bytesReceived)
        all.transport = transport
        for sound in sounds { all.sound.add(sound.statistics) }
        all.voice = voice?.statistics
        all.drops = allDrops
        return all
    }

    package var allDrops: [String: Int] {
        .sum(stream, drops.named("media-"), opener.drops.named("srtp-"), sounds.allDrops, voice)
    }
}
