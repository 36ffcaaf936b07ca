import HelioCore
import HelioPeer
import HelioProtection
import HelioRTP
import HelioSDP

/// Fuzzes a peer connection's media transport with the packets of a malicious peer, and the reports of its app.
///
/// The first byte's bit 0 disables retransmission, its bit 1 reduced-size RTCP, and its bit 2 negotiates dependency
/// descriptors. The rest is a sequence of packets, each preceded by a byte whose bit 0 selects RTCP, whose bit 1 makes it
/// a report of a loss instead, and whose upper half gives the time that passes, and a length byte. In RTP packets, the
/// payload type is mapped to one of the negotiated ones, and the SSRC to one of four.
package enum MediaTransportFuzz {
    private static let stream = SendingStream(ssrc: SSRC(1), retransmissionSSRC: SSRC(2))
    private static let mostOutputs = 10_000

    package static func run(_ bytes: [UInt8]) {
        guard let mode = bytes.first else { return }
        var media = agreed
        media.hasReducedSizeRTCP = mode & 2 == 0
        for index in media.codecs.indices where mode & 1 != 0 {
            media.codecs[index].sendRetransmissionType = nil
            media.codecs[index].receiveRetransmissionType = nil
        }
        if mode & 4 != 0 {
            var described = media.extensions[0]
            described.id = 13
            described.uri = DependencyDescriptor.uri
            media.extensions.append(described)
        }
        var run = Run(media)
        var steps = FuzzSteps(bytes, from: 1)
        while let (what, length) = steps.next() {
            run.pass(.milliseconds(Int64(what >> 4) * 20))
            let packet = steps.takeBytes(length)
            if what & 2 != 0 { run.report(packet) } else { run.give(packet, isRTCP: what & 1 != 0) }
        }
        run.pass(.seconds(3))
        run.transport.close(now: run.now)
        run.drain()
    }

    /// A video section in both directions, negotiated between two Heliograph ends.
    private static let agreed: NegotiatedMedia = {
        var offerer = Negotiation(NegotiationConfiguration(sessionID: 1, cname: "a"))
        var answerer = Negotiation(NegotiationConfiguration(sessionID: 2, cname: "b"))
        let other = SendingStream(ssrc: SSRC(3), retransmissionSSRC: SSRC(4))
        do {
            try offerer.addTrack(.video, stream)
            try answerer.addTrack(.video, other)
            let offer = try offerer.createOffer(transport("A"))
            try offerer.setLocal(offer)
            try answerer.setRemote(offer: offer.session)
            let answer = try answerer.createAnswer(transport("B"))
            try answerer.setLocal(answer)
            try offerer.setRemote(answer: answer.session)
        } catch {
            preconditionFailure("two of a kind agree: \(error)")
        }
        guard let media = offerer.agreement?.media.first else { preconditionFailure("nothing is agreed on") }
        return media
    }()

    private static func transport(_ name: String) -> LocalTransport {
        guard let fingerprint = CertificateFingerprint(hash: "sha-256", bytes: [UInt8](repeating: 7, count: 32)),
            let fragment = ICEUsernameFragment(name + "ufr"),
            let password = ICEPassword(name + "passwordpasswordpassword")
        else { preconditionFailure("no such transport") }
        return LocalTransport(usernameFragment: fragment, password: password, fingerprints: [fingerprint])
    }

    private struct Run {
        let transport: MediaTransport
        let media: NegotiatedMedia
        let types: [PayloadType]
        var now = Instant.zero
        var extenders: [SSRC: SequenceExtender] = [:]
        var frame: UInt64 = 0
        /// The RTP timestamps of the last packets sent.
        var timestamps: [UInt32] = []

        init(_ media: NegotiatedMedia) {
            self.media = media
            types = media.codecs.flatMap { [$0.receivePayloadType, $0.receiveRetransmissionType].compactMap { $0 } }
            transport = MediaTransport(
                MediaTransportConfiguration(cname: "fuzz", feedbackSSRC: SSRC(9), clockOffset: .zero),
                random: SeededGenerator(seed: 1), now: .zero)
            transport.apply([media], senders: [media.transceiver: stream], now: .zero)
            transport.open(now: .zero)
            for _ in 0..<4 { send() }
        }

        mutating func send(repairsSince: UInt64? = nil) {
            let timing = FrameTiming(damaged: now, captured: now)
            let slice = EncodedSlice(
                frameIndex: frame, annexB: [0, 0, 1, 0x65, 0x88] + [UInt8](repeating: 0x55, count: 3000), isFirst: true,
                isLast: true, isKeyframe: frame % 4 == 0, timing: timing,
                repairsSince: frame % 4 == 0 ? nil : repairsSince)
            frame += 1
            transport.send(slice, codec: .h264, on: media.transceiver, now: now)
            drain()
        }

        mutating func give(_ packet: [UInt8], isRTCP: Bool) {
            if isRTCP {
                transport.handle(.rtcp(packet), now: now)
            } else {
                var packet = packet
                if packet.count >= 12 {
                    packet[1] = packet[1] & 0x80 | types[Int(packet[1] & 0x7F) % types.count].rawValue
                    packet.set(bigEndian: UInt32(packet[11] % 4 + 3), at: 8)
                }
                guard let header = RTPHeader.parse(packet.span.bytes) else { return }
                let sequence = extenders[header.ssrc, default: SequenceExtender()].extended(header.sequence)
                extenders[header.ssrc, default: SequenceExtender()].accept(sequence)
                let opened = SRTPReceiver.OpenedRTP(
                    ssrc: header.ssrc, sequence: sequence, headerLength: header.length)
                transport.handle(.rtp(packet, opened), now: now)
            }
            drain()
        }

        /// The app reports a loss, after a known frame or any other, and two frames are sent.
        mutating func report(_ bytes: [UInt8]) {
            let kind = bytes.first ?? 0
            transport.setTakesRepairs(kind & 1 == 0, on: media.transceiver, now: now)
            let known = timestamps.isEmpty ? nil : timestamps[Int(kind >> 2) % timestamps.count]
            let whole = kind & 2 == 0 ? known : bytes.span.bytes.uint32(at: 1)
            transport.pictureLost(after: whole, on: media.transceiver, now: now)
            drain()
            send(repairsSince: frame - min(frame, UInt64(bytes.last ?? 0) % 8))
            send()
        }

        mutating func pass(_ duration: Duration) {
            let end = now + duration
            var steps = 0
            while let due = transport.deadline, due.at <= end {
                now = max(now, due.at)
                transport.tick(now: now)
                drain()
                steps += 1
                precondition(steps < 20_000, "no end of work: \(due.why)")
            }
            now = end
        }

        mutating func drain() {
            var count = 0
            while let output = transport.poll() {
                count += 1
                precondition(count < mostOutputs, "one input has too many consequences")
                switch output {
                case .rtp(let packet, let headerLength, let sequence),
                    .keptRTP(let packet, let headerLength, let sequence):
                    guard let header = RTPHeader.parse(packet.span.bytes) else { preconditionFailure("no RTP") }
                    precondition(header.length == headerLength && header.sequence == sequence.wire)
                    precondition(packet.count <= transport.largestPacket, "longer than the path takes")
                    timestamps.append(header.timestamp)
                    if timestamps.count > 32 { timestamps.removeFirst() }
                case .rtcp(let packet):
                    precondition(RTCPPacket.parseCompound(packet.span.bytes)?.isEmpty == false, "no RTCP")
                    precondition(packet.count <= transport.largestPacket, "longer than the path takes")
                case .event(.frame(let frame, _)): precondition(!frame.annexB.isEmpty, "a frame of nothing")
                case .again, .event: break
                }
            }
        }
    }
}
