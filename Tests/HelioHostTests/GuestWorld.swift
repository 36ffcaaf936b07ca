import HelioAdmission
import HelioCore
import HelioHost
import HelioMedia
import HelioOpenSSL
import HelioPeer
import HelioProtection
import HelioRTP
import HelioRTSP
import HelioSimulation
import Testing

@testable import HelioSession

/// A host and admitted viewers that send any RTCP: true or false reports of packet arrivals.
final class GuestWorld {
    private static let crypto = OpenSSLCrypto()
    private static let fingerprint = [UInt8](repeating: 9, count: 32)

    /// A native viewer that watches.
    final class Guest {
        let id: ConnectionID
        fileprivate(set) var viewerSSRC = SSRC(0)
        fileprivate(set) var hostSSRC = SSRC(0)
        /// The stream terms that the host has signalled.
        fileprivate(set) var terms: [StreamTerms] = []
        /// The media bytes sent to the viewer.
        fileprivate(set) var bytes = 0
        /// The path to it.
        var link = Link()
        /// Replaces true feedback by what the guest reports; `nil` sends no feedback. The second argument counts the
        /// feedback packets from zero.
        var report: ((inout TransportFeedback, Int) -> Void)?
        fileprivate var feedbacks = 0
        fileprivate var hasLeft = false
        fileprivate var arrivals = TransportArrivals()
        /// The packets in transit, with their arrival times.
        fileprivate var onTheWay: [(number: UInt16, at: Instant)] = []
        fileprivate var sealer: SRTPSender
        fileprivate var sequence = 0
        fileprivate var parser = RTSPParser()
        fileprivate var answer: RTSPResponse?

        fileprivate init(_ id: ConnectionID, key: SRTPMasterKey) throws {
            self.id = id
            sealer = try SRTPSender(key: key, crypto: GuestWorld.crypto)
        }

        fileprivate func take(_ datagram: [UInt8], now: Instant) {
            bytes += datagram.count
            let packet = datagram.span.bytes
            guard !RTCPPacket.isRTCP(packet), let header = RTPHeader.parse(packet),
                let sequence = TransportSequence(id: StreamOffer.transportSequenceID, of: header, in: packet),
                let arrival = link.pass(datagram.count, now: now)
            else { return }
            onTheWay.append((sequence.number, arrival))
        }
    }

    /// A path with one queue; packets are lost when it is full.
    struct Link {
        private static let delay = Duration.milliseconds(10)
        private static let longestQueue = Duration.milliseconds(250)

        var capacity = Bitrate.megabits(1000)
        private var free = Instant.zero

        /// - Returns: the packet's arrival time; `nil` if it is lost.
        fileprivate mutating func pass(_ bytes: Int, now: Instant) -> Instant? {
            guard free - now < Self.longestQueue else { return nil }
            free = max(free, now) + .nanoseconds(Int64(Double(bytes) * 8e9 / Double(capacity.bitsPerSecond)))
            return free + Self.delay
        }
    }

    let host: SourceHost
    private(set) var now = Instant.zero + .seconds(100)
    private var guests: [ConnectionID: Guest] = [:]
    private var random = SeededGenerator(seed: 11)
    private var events: [SourceHost.Event] = []
    private var bitrates: [(at: Instant, rate: Bitrate)] = []
    private var wantsKeyframe = false
    private var nextFrame = Instant.zero
    private var nextIndex: UInt64 = 0

    init(format: VideoFormat = .test, codecs: [VideoCodec]? = nil, hardwareCodec: VideoCodec? = nil) {
        host = SourceHost(
            .init(
                format: format, allowsControl: false, codecs: codecs, hardwareCodec: hardwareCodec,
                web: WebSettings(fingerprint: [UInt8](repeating: 3, count: 32)) { configuration, now in
                    PeerEngine(
                        configuration, crypto: OpenSSLCrypto(), certificates: WebWorld.certificates,
                        random: SeededGenerator(seed: 5), now: now)
                }),
            fingerprint: Self.fingerprint, crypto: Self.crypto, random: SeededGenerator(seed: 7), now: now)
        host.setPorts(media: 7236, control: 7237)
    }

    /// Admits a guest that watches and has shown its address.
    func watch(_ capabilities: StreamCapabilities = StreamCapabilities()) throws -> Guest {
        let id = ConnectionID(UInt64(guests.count) + 1)
        let key = SRTPMasterKey(profile: StreamOffer.profile, using: &random)
        let guest = try Guest(id, key: key)
        guests[id] = guest
        tell(.connected(id, address: "10.0.0.\(id.rawValue)"))
        let challenge = try ask(guest, "DESCRIBE").headers["WWW-Authenticate"]
        let nonce = try #require(challenge.flatMap(ProofHeader.nonce(inChallenge:)))
        let mine = [UInt8](repeating: 7, count: 16)
        let evidence = try #require(
            LinkProof(secret: host.linkSecret, binding: Self.fingerprint, clientNonce: mine, hostNonce: nonce))
        let proof = ProofHeader(nonce: mine, proof: try evidence.proof(by: .viewer, crypto: Self.crypto))
        let offer = try ask(
            guest, "DESCRIBE", "",
            ["Authorization": proof.value, StreamCapabilities.headerName: capabilities.headerValue])
        #expect(offer.status == .ok)
        let video = try ask(
            guest, "SETUP", "/video", ["Transport": "RTP/SAVPF/UDP"], body: SetupAnswer.video(key))
        let transport = try #require(video.headers["Transport"].flatMap(TransportHeader.list)?.first)
        guest.hostSSRC = try #require(transport.ssrc)
        let number = transport.others.first { $0.name == "viewer-ssrc" }?.value
        guest.viewerSSRC = SSRC(try #require(number.flatMap { UInt32($0, radix: 16) }))
        _ = try ask(
            guest, "SETUP", "/control", ["Transport": StreamOffer.controlTransport],
            body: SetupAnswer.control(SealedKey(using: &random)))
        #expect(try ask(guest, "PLAY").status == .ok)
        say([], guest)
        return guest
    }

    func pauseAndGoOn(_ guest: Guest) throws {
        #expect(try ask(guest, "PAUSE").status == .ok)
        #expect(try ask(guest, "PLAY").status == .ok)
    }

    func leave(_ guest: Guest) {
        guest.hasLeft = true
        tell(.disconnected(guest.id))
    }

    /// Sends a genuine report followed by these packets.
    func say(_ packets: [RTCPPacket], _ guest: Guest) {
        var bytes: [UInt8] = []
        for packet in [.receiverReport(ReceiverReport(ssrc: guest.viewerSSRC))] + packets { packet.write(into: &bytes) }
        do {
            try guest.sealer.protect(rtcp: &bytes)
        } catch {
            Issue.record("RTCP can't be sealed: \(error)")
        }
        tell(.media(bytes, from: PathID(.v4(0x0A00_0000 | UInt32(guest.id.rawValue)), port: UInt16(guest.id.rawValue))))
    }

    /// Makes the guest report true arrivals over a path of this capacity.
    func beHonest(_ guest: Guest, capacity: Bitrate) {
        guest.link.capacity = capacity
        guest.report = { _, _ in }
    }

    func losePicture(_ guest: Guest) {
        say([.pictureLoss(PictureLossIndication(sender: guest.viewerSSRC, media: guest.hostSSRC))], guest)
    }

    /// Reports the frame of this RTP timestamp as the last complete one.
    func select(_ timestamp: UInt32, _ guest: Guest) {
        say(
            [
                .referenceSelection(
                    ReferencePictureSelection(
                        sender: guest.viewerSSRC, media: guest.hostSSRC, payloadType: PayloadType(96),
                        timestamp: timestamp))
            ], guest)
    }

    func tell(_ input: SourceHost.Input) {
        host.handle(input, now: now)
        drain()
    }

    /// Advances the time; the host handles what is due.
    func pass(_ duration: Duration) {
        let end = now + duration
        while let due = host.deadline?.at, due <= end {
            now = max(now, due)
            host.tick(now: now)
            drain()
        }
        now = end
    }

    /// Advances the time while the screen changes: the encoder follows its target bitrate, and the guests report.
    func stream(_ duration: Duration) {
        let end = now + duration
        while now < end {
            if now >= nextFrame {
                nextFrame = now + .milliseconds(20)
                show(bytes: max(100, host.statistics.bitrate.bitsPerSecond / 8 / 50), keyframe: wantsKeyframe)
            }
            pass(.milliseconds(5))
            for guest in guests.values.sorted(by: { $0.id.rawValue < $1.id.rawValue }) { report(guest) }
        }
    }

    /// Sends a frame of one slice.
    func show(bytes: Int, keyframe: Bool) {
        let unit: [UInt8] = [0, 0, 0, 1, keyframe ? 0x65 : 0x41] + [UInt8](repeating: 0x80, count: bytes)
        let timing = FrameTiming(damaged: now, captured: now)
        defer { nextIndex += 1 }
        if keyframe { wantsKeyframe = false }
        tell(
            .slice(
                EncodedSlice(
                    frameIndex: nextIndex, annexB: unit, isFirst: true, isLast: true, isKeyframe: keyframe,
                    timing: timing)))
    }

    private func report(_ guest: Guest) {
        guard let twist = guest.report, !guest.hasLeft else { return }
        let come = guest.onTheWay.prefix { $0.at <= now }
        guest.onTheWay.removeFirst(come.count)
        for (number, at) in come { guest.arrivals.note(number, arrival: at) }
        for var feedback in guest.arrivals.pollFeedback(sender: guest.viewerSSRC, media: guest.hostSSRC, now: now) {
            twist(&feedback, guest.feedbacks)
            guest.feedbacks += 1
            say([.transportFeedback(feedback)], guest)
        }
    }

    /// The host's estimate of the path to a guest.
    func estimate(_ guest: Guest) -> Bitrate? {
        host.statistics.viewers.first { $0.id == guest.id }?.suggestedBitrate
    }

    /// Returns and clears the encoder's bitrate updates, with their times.
    func takeChanges() -> [(at: Instant, rate: Bitrate)] {
        defer { bitrates = [] }
        return bitrates
    }

    func takeBitrates() -> [Bitrate] { takeChanges().map(\.rate) }
    func takeKeyframes() -> [String] { take { if case .keyframeNeeded(let reason, _) = $0 { reason } else { nil } } }
    func takeRepairs() -> [UInt64] { take { if case .repairNeeded(let since, _, _) = $0 { since } else { nil } } }
    func takeAgreements() -> [StreamAgreement] { take { if case .agreed(let agreed) = $0 { agreed } else { nil } } }

    private func take<Value>(_ choose: (SourceHost.Event) -> Value?) -> [Value] {
        defer { events.removeAll { choose($0) != nil } }
        return events.compactMap(choose)
    }

    private func ask(
        _ guest: Guest, _ method: String, _ path: String = "", _ headers: RTSPHeaders = [:], body: [UInt8] = []
    ) throws -> RTSPResponse {
        guest.sequence += 1
        guest.answer = nil
        var all = headers
        all.append("CSeq", "\(guest.sequence)")
        let request = RTSPRequest(
            RTSPMethod(rawValue: method), uri: "rtsps://10.0.0.1:7236/screen" + path, headers: all, body: body)
        tell(.received(guest.id, request.serialised()))
        return try #require(guest.answer)
    }

    private func drain() {
        while let output = host.poll() {
            switch output {
            case .send(let id, let bytes):
                host.handle(.written(id, bytes.count), now: now)
                if let guest = guests[id] { hear(bytes, guest) }
            case .media(let bytes, let path): guests[ConnectionID(UInt64(path.port))]?.take(bytes, now: now)
            case .event(.bitrate(let rate)): bitrates.append((now, rate))
            case .event(let event):
                if case .keyframeNeeded = event { wantsKeyframe = true }
                events.append(event)
            case .close, .web, .control, .sources, .voice, .clipboard, .files: break
            }
        }
    }

    private func hear(_ bytes: [UInt8], _ guest: Guest) {
        guest.parser.append(bytes)
        while let message = try? guest.parser.next() {
            switch message {
            case .response(let response): guest.answer = response
            case .request(let request) where request.headers["Content-Type"] == StreamTerms.contentType:
                guard let terms = StreamTerms(body: request.body) else {
                    Issue.record("the host's terms can't be read")
                    break
                }
                guest.terms.append(terms)
            case .request, .interleaved: break
            }
        }
    }
}
