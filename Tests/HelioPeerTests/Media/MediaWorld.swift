import HelioBitstream
import HelioCore
import HelioMedia
import HelioPeer
import HelioProtection
import HelioRTP
import HelioSDP
import HelioSimulation

/// A host that sends one video, and a viewer that receives it, after their negotiation.
struct MediaWorld {
    var host: MediaEnd
    var viewer: MediaEnd
    /// The section's transceiver at the host and at the viewer.
    let screen: Transceiver.ID
    let view: Transceiver.ID
    let stream: SendingStream
    let hostMedia: NegotiatedMedia
    let viewerMedia: NegotiatedMedia

    /// - Parameters:
    ///   - extensions: the header extensions that both ends support.
    ///   - parity: the parity schemes that the host and the viewer support.
    ///   - mend: changes the agreement, equally at both ends.
    init(
        extensions: [HeaderExtensionCapability] = HeaderExtensionCapability.standard,
        parity: (host: ParityScheme, viewer: ParityScheme) = (.none, .none),
        mend: (inout NegotiatedMedia) -> Void = { _ in }
    ) throws {
        var host = Peer("host", Self.configuration("host", extensions, parity.host))
        var viewer = Peer("viewer", Self.configuration("viewer", extensions, parity.viewer))
        var stream = host.stream()
        if parity.host == .flexFEC { stream.paritySSRC = SSRC(0xFEC) }
        self.stream = stream
        screen = try host.negotiation.addTrack(.video, stream, receives: false)
        try host.exchange(with: &viewer)
        guard var sent = host.negotiation.agreement?.media.first, var seen = viewer.negotiation.agreement?.media.first
        else { preconditionFailure("both ends agree on something") }
        mend(&sent)
        mend(&seen)
        view = seen.transceiver
        hostMedia = sent
        viewerMedia = seen
        self.host = MediaEnd("host", [sent], [screen: stream])
        self.viewer = MediaEnd("viewer", [seen], [:])
    }

    static func configuration(
        _ name: String, _ extensions: [HeaderExtensionCapability] = HeaderExtensionCapability.standard,
        _ parity: ParityScheme = .none
    ) -> NegotiationConfiguration {
        var configuration = NegotiationConfiguration(sessionID: 7, cname: name, headerExtensions: extensions)
        configuration.parity = parity
        return configuration
    }

    /// Delivers packets in both directions at once, until none are left.
    mutating func settle(at now: Instant, losing isLost: (Int) -> Bool = { _ in false }) {
        var number = 0
        var isBusy = true
        while isBusy {
            isBusy = false
            while let packet = host.pollDatagram(now: now) {
                isBusy = true
                defer { number += 1 }
                if !isLost(number) { viewer.receive(packet, now: now) }
            }
            while let packet = viewer.pollDatagram(now: now) {
                isBusy = true
                host.receive(packet, now: now)
            }
        }
    }
}

/// One end, with a driver that does no encryption but rejects repeated packets like SRTP.
struct MediaEnd: SimulatedPeer {
    let transport: MediaTransport
    var outgoing: [[UInt8]] = []
    /// All packets sent.
    var sent: [[UInt8]] = []
    var frames: [ReceivedFrame] = []
    var packets: [ReceivedPacket] = []
    var orientations: [VideoOrientation] = []
    var keyframesNeeded = 0
    var repairs: [RepairWish] = []
    var goodbyes = 0
    var estimates: [Bitrate] = []
    var source: FrameSource?
    /// The sequence numbers of `again` outputs, each of which repeats a kept packet.
    var again: [UInt16] = []
    private var kept: [UInt16: [UInt8]] = [:]
    private var extenders: [SSRC: SequenceExtender] = [:]
    private var seen: [SSRC: Set<UInt64>] = [:]
    private(set) var used: [SSRC: Set<UInt64>] = [:]

    init(
        _ name: String, _ media: [NegotiatedMedia], _ senders: [Transceiver.ID: SendingStream] = [:],
        most: Bitrate? = nil, isOpen: Bool = true,
        configure: (inout MediaTransportConfiguration) -> Void = { _ in }
    ) {
        var configuration = MediaTransportConfiguration(
            cname: name, feedbackSSRC: SSRC(1), clockOffset: .seconds(3_900_000_000))
        if let most { configuration.mostBitrate = most }
        configure(&configuration)
        // Starts at the highest bitrate, so that the path is not probed.
        configuration.startBitrate = configuration.mostBitrate
        transport = MediaTransport(configuration, random: SeededGenerator(seed: 5), now: .zero)
        transport.apply(media, senders: senders, now: .zero)
        if isOpen { transport.open(now: .zero) }
        drain()
    }

    mutating func receive(_ datagram: [UInt8], now: Instant) {
        if RTCPPacket.isRTCP(datagram.span.bytes) {
            transport.handle(.rtcp(datagram), now: now)
        } else if let opened = open(datagram) {
            transport.handle(.rtp(datagram, opened), now: now)
        }
        drain()
    }

    mutating func open(_ packet: [UInt8]) -> SRTPReceiver.OpenedRTP? {
        guard let header = RTPHeader.parse(packet.span.bytes) else { return nil }
        let sequence = extenders[header.ssrc, default: SequenceExtender()].extended(header.sequence)
        guard seen[header.ssrc, default: []].insert(sequence.rawValue).inserted else { return nil }
        extenders[header.ssrc, default: SequenceExtender()].accept(sequence)
        return SRTPReceiver.OpenedRTP(ssrc: header.ssrc, sequence: sequence, headerLength: header.length)
    }

    mutating func tick(now: Instant) {
        transport.tick(now: now)
        drain()
        while var frames = source, frames.next <= now {
            for slice in frames.take() { transport.send(slice, codec: .h264, on: frames.transceiver, now: now) }
            source = frames
            drain()
        }
    }

    var deadline: Deadline? {
        .earliest(transport.deadline, source.map { Deadline(at: $0.next, why: "frame") })
    }

    mutating func pollDatagram(now: Instant) -> [UInt8]? {
        drain()
        return outgoing.isEmpty ? nil : outgoing.removeFirst()
    }

    mutating func drain() {
        while let output = transport.poll() {
            switch output {
            case .rtp(let packet, let headerLength, let sequence):
                send(packet, headerLength, sequence)
            case .keptRTP(let packet, let headerLength, let sequence):
                send(packet, headerLength, sequence)
                kept[sequence.wire] = packet
            case .again(_, let sequence):
                again.append(sequence.wire)
                if let packet = kept[sequence.wire] { outgoing.append(packet) }
            case .rtcp(let packet):
                outgoing.append(packet)
                sent.append(packet)
            case .event(.frame(let frame, _)): frames.append(frame)
            case .event(.orientation(let orientation, _)): orientations.append(orientation)
            case .event(.packet(let packet, _)): packets.append(packet)
            case .event(.keyframeNeeded):
                keyframesNeeded += 1
                source?.wantsKeyframe = true
            case .event(.repairNeeded(let wish, _)): repairs.append(wish)
            case .event(.estimatedBitrate(let bitrate)): estimates.append(bitrate)
            case .event(.goodbye): goodbyes += 1
            }
        }
    }

    /// Applies the checks of an SRTP sender to a packet.
    private mutating func send(_ packet: [UInt8], _ headerLength: Int, _ sequence: ExtendedSequence) {
        guard let header = RTPHeader.parse(packet.span.bytes) else { preconditionFailure("no RTP") }
        precondition(header.length == headerLength && header.sequence == sequence.wire, "the packet is another")
        precondition(used[header.ssrc, default: []].insert(sequence.rawValue).inserted, "a nonce is used twice")
        outgoing.append(packet)
        sent.append(packet)
    }

    /// The sent RTP packets, with their headers.
    var rtp: [(header: RTPHeader, bytes: [UInt8])] {
        sent.compactMap { packet in
            guard !RTCPPacket.isRTCP(packet.span.bytes) else { return nil }
            return RTPHeader.parse(packet.span.bytes).map { ($0, packet) }
        }
    }

    var rtcp: [RTCPPacket] {
        sent.filter { RTCPPacket.isRTCP($0.span.bytes) }.flatMap {
            RTCPPacket.parseCompound($0.span.bytes) ?? []
        }
    }
}
