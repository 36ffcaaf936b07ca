import HelioCore
import HelioMedia
import HelioProtection
import HelioRTP

/// Sends the sound of one origin to one viewer: chooses the encoding, repeats earlier packets on a lossy path, and
/// encrypts with a key of its own.
///
/// Packets are sent at once, ahead of waiting video, and are not retransmitted on request: redundancy arrives within 5
/// to 60 ms, sooner than a retransmission that the viewer requests after it has detected the loss. On a path with a
/// shorter round trip, only PCM, which has no redundancy, would benefit from retransmissions; but at the first loss
/// Opus replaces PCM.
final class SoundSending: DropCounting {
    /// The interval between sender reports, by which a viewer synchronises sound and video; and the shorter time from
    /// the first report to the second, as the first may be lost.
    private static let reportInterval = Duration.seconds(1)
    private static let secondReport = Duration.milliseconds(250)
    private static let clockRate: UInt32 = 48_000

    let origin: SoundOrigin
    /// The encodings of the origin that this viewer needs; `none` once the sound has been off for a moment
    /// (`SoundLinger`).
    private(set) var demand: SoundDemand
    private var hasNewDemand = true
    private var linger = SoundLinger()
    /// The numbers of packets and of bytes sent, including the packets' headers.
    private(set) var packets = 0
    private(set) var bytes = 0

    private let stream: StreamSender
    private var sealer: SRTPSender
    private var planner: SoundPlanner
    private var choice: SoundSwitch
    /// The earlier packets that may be repeated, also across a silence, as Heliograph's viewers identify repeated
    /// packets by their sequence numbers.
    private var earlier = SoundRepeats(bridgesSilence: true)
    /// True if the next packet is the first after a pause.
    private var begins = true
    private var nextReport: Instant?
    private var reports = 0

    /// - Parameter isTransportWide: true if the packets share the video's transport-wide sequence numbers.
    init(
        _ origin: SoundOrigin, key: SRTPMasterKey, ssrc: SSRC, takes: Set<SoundCodec>, largestDatagram: Int,
        isTransportWide: Bool = true, crypto: any CryptoProvider
    ) throws(CryptoError) {
        self.origin = origin
        sealer = try SRTPSender(key: key, crypto: crypto)
        planner = SoundPlanner(takes: takes)
        choice = SoundSwitch(planner.plan.encode)
        demand = SoundDemand(encodes: choice.wanted, lossShare: planner.plan.lossShare)
        var configuration = StreamSender.Configuration(
            ssrc: ssrc, firstSequence: UInt16(ssrc.rawValue & 0x7FFF),
            largestPacket: largestDatagram - sealer.rtpOverhead, rate: .megabits(1))
        configuration.pacer = nil
        configuration.reserve = sealer.rtpOverhead
        stream = StreamSender(configuration)
        if isTransportWide {
            stream.agree(
                OutgoingExtensions(
                    [TransportSequence(0).element(id: StreamOffer.transportSequenceID)],
                    transportSequenceID: StreamOffer.transportSequenceID))
        }
        stream.play(nil)
    }

    var ssrc: SSRC { stream.ssrc }
    /// True while the viewer wants to hear this sound.
    var isOn: Bool { linger.isOn }
    /// The encoding being sent.
    var encode: SoundEncode { choice.current }

    /// Returns whether `demand` has changed since the last call.
    func pollNewDemand() -> Bool {
        defer { hasNewDemand = false }
        return hasNewDemand
    }

    private func updateDemand() {
        let wanted =
            linger.isWanted ? SoundDemand(encodes: choice.wanted, lossShare: planner.plan.lossShare) : .none
        guard wanted != demand else { return }
        demand = wanted
        hasNewDemand = true
    }

    func turn(on isOn: Bool, now: Instant) {
        guard linger.turn(on: isOn, lingers: packets > 0, now: now) else { return }
        updateDemand()
        if isOn { stream.play(nil) } else { stream.pause() }
        restart()
    }

    /// Resets the state after a pause in sending.
    func restart() {
        choice.restart()
        earlier.removeAll()
        begins = true
        nextReport = nil
        reports = 0
    }

    // MARK: Sending

    /// Sends a packet if sound is on and the packet belongs to the encoding that this viewer is sent.
    ///
    /// - Returns: the number of bytes sent; 0 if the packet was not sent.
    func send(
        _ sound: EncodedSound, transport: inout BandwidthEstimator, now: Instant, _ put: ([UInt8]) -> Void
    ) -> Int {
        let encode = choice.current
        guard isOn, choice.takes(sound) else { return 0 }
        if choice.current != encode { updateDemand() }
        let timestamp = UInt32(truncatingIfNeeded: sound.mediaTime)
        let (payload, type) = packed(sound)
        let before = (stream.statistics.packets, bytes)
        stream.send(
            packet: payload, timestamp: timestamp, marker: sound.beginsTalk || begins, captured: sound.captured,
            as: SendFormat(payloadType: type, clockRate: Self.clockRate, repair: .none), transport: &transport, now: now
        ) { (departure: consuming StreamSender.Departure) in
            guard case .packet(var packet, let headerLength, let sequence, _) = consume departure else { return }
            do {
                try sealer.protect(rtp: &packet, headerLength: headerLength, sequence: sequence)
            } catch {
                return drops.count(.protectionFailed)
            }
            bytes += packet.count
            packets += 1
            put(packet)
        }
        guard stream.statistics.packets > before.0 else { return 0 }
        begins = false
        earlier.note(sound)
        if nextReport == nil { nextReport = now }
        return bytes - before.1
    }

    /// Returns the payload, preceded by the repeated packets if any, and its payload type.
    private func packed(_ sound: EncodedSound) -> (payload: [UInt8], type: PayloadType) {
        let type = StreamOffer.payloadType(sound.codec)
        guard sound.codec == .opus, planner.plan.repeats > 0 else { return (sound.payload, type) }
        let repeated = earlier.payload(
            of: sound, type: type, repeats: planner.plan.repeats, reach: planner.plan.reach,
            largest: stream.largestPayload.other)
        return repeated.map { ($0, StreamOffer.redundancyType) } ?? (sound.payload, type)
    }

    // MARK: Path

    /// Handles the viewer's report on this stream.
    func handle(_ block: ReportBlock, now: Instant) {
        stream.handle(block, now: now)
        if isOn { planner.noteLoss(stream.statistics.fractionLost) }
    }

    /// Adapts encoding and redundancy to the state of the path.
    func follow(_ path: SoundPlanner.Path, now: Instant) {
        guard planner.update(path, now: now) else { return }
        choice.change(to: planner.plan.encode)
        updateDemand()
    }

    // MARK: Reports

    var deadline: Deadline? {
        .earliest(
            nextReport.map { Deadline(at: $0, why: "sender report of sound") },
            linger.deadline)
    }

    func tick(now: Instant) { if linger.tick(now: now) { updateDemand() } }

    /// Makes the encrypted sender report, if it is due.
    func pollReport(now: Instant) -> [UInt8]? {
        guard let due = nextReport, now >= due else { return nil }
        reports += 1
        nextReport = now + (reports == 1 ? Self.secondReport : Self.reportInterval)
        guard let report = stream.makeReport(now: now) else { return nil }
        var bytes: [UInt8] = []
        RTCPPacket.senderReport(report).write(into: &bytes)
        RTCPPacket.sourceDescription([SourceDescription(ssrc: ssrc, cname: "heliograph")]).write(into: &bytes)
        do {
            try sealer.protect(rtcp: &bytes)
            return bytes
        } catch {
            drops.count(.protectionFailed)
            return nil
        }
    }

    // MARK: Statistics

    var statistics: SentSound {
        SentSound(
            origin: origin, encode: isOn ? encode : nil, repeats: planner.plan.repeats, packets: packets, bytes: bytes,
            loss: stream.statistics.fractionLost)
    }

    private var drops = DropCounter<MediaDrop>()

    var allDrops: [String: Int] { .sum(stream, drops.named("media-")) }
}
