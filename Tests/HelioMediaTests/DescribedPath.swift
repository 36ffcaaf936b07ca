import HelioCore
import HelioMedia
import HelioRTP
import Testing

/// A stream with dependency descriptors to a browser, and the packets sent.
struct DescribedPath {
    static let media = SSRC(7)
    static let again = SSRC(8)
    private static let transportID: UInt8 = 2
    private static let dependencyID: UInt8 = 5

    struct Packet {
        let ssrc: SSRC
        let timestamp: UInt32
        /// The packet's sequence number in the stream; for a retransmission the original one.
        let sequence: UInt16
        let dependency: DependencyDescriptor?
        let at: Instant
    }

    let sender: StreamSender
    var transport = BandwidthEstimator(most: .megabits(100), isTransportWide: true)
    var now = Instant(nanoseconds: 1_000_000_000)
    var frames: UInt64 = 0
    var timestamps: [UInt32] = []
    var left: [Packet] = []
    /// The loss that the browser reports, in units of 1/256.
    var fractionLost: UInt8 = 0
    private var newest: UInt16 = 0

    init(rate: Bitrate = .megabits(20), takesRepairs: Bool = true, isDescribed: Bool = true) {
        var configuration = StreamSender.Configuration(
            ssrc: Self.media, firstSequence: 9, largestPacket: 1200, rate: rate)
        configuration.isHostClock = true
        configuration.retransmissionSSRC = Self.again
        sender = StreamSender(configuration)
        sender.agree(
            OutgoingExtensions(
                [TransportSequence(0).element(id: Self.transportID)], transportSequenceID: Self.transportID,
                dependencyID: isDescribed ? Self.dependencyID : nil))
        sender.takesRepairs = takesRepairs
        sender.play(nil)
    }

    mutating func send(
        bytes: Int = 3000, isKeyframe: Bool = false, repairsSince: UInt64? = nil,
        after time: Duration = .milliseconds(16)
    ) {
        run(for: time)
        let slice = EncodedSlice(
            frameIndex: frames,
            annexB: TestStream.annexB(frames, codec: .h264, isKeyframe: isKeyframe, bytes: bytes), isFirst: true,
            isLast: true, isKeyframe: isKeyframe, timing: FrameTiming(damaged: now, captured: now),
            repairsSince: repairsSince)
        frames += 1
        timestamps.append(MediaClock.timestamp(now))
        let format = SendFormat(payloadType: PayloadType(96), repair: .retransmissionStream(PayloadType(98)))
        sender.send(PacketizedSlice(slice, codec: .h264, limits: sender.largestPayload), as: format, now: now)
        pump()
    }

    /// Executes all that is due within that time.
    mutating func run(for time: Duration) {
        let end = now + time
        while let due = sender.deadline, due.at <= end {
            now = max(now, due.at)
            sender.tick(now: now)
            pump()
        }
        now = end
    }

    mutating func pump() {
        sender.pump(transport: &transport, now: now) { (departure: consuming StreamSender.Departure) in
            guard case .packet(let bytes, let length, _, _) = consume departure else { return }
            let packet = bytes.span.bytes
            guard let header = RTPHeader.parse(packet), let payload = header.payload(in: packet) else {
                Issue.record("no RTP")
                return
            }
            #expect(header.length == length && bytes.count <= 1200)
            if header.ssrc == Self.media { newest = header.sequence }
            if payload.isEmpty { return }
            let original = header.ssrc == Self.again ? Retransmission.split(payload, of: packet)?.original : nil
            left.append(
                Packet(
                    ssrc: header.ssrc, timestamp: header.timestamp, sequence: original ?? header.sequence,
                    dependency: DependencyDescriptor(id: Self.dependencyID, of: header, in: packet), at: now))
        }
        report()
    }

    /// The browser reports the newest packet, so that no probe of the tail is sent.
    func report() {
        sender.handle(
            ReportBlock(
                ssrc: Self.media, fractionLost: fractionLost, cumulativeLost: 0, highestSequence: UInt32(newest),
                jitter: 0, lastSenderReport: 0, delaySinceLastSenderReport: 0), now: now)
    }

    mutating func request(_ numbers: [UInt16]) {
        sender.handle(GenericNACK(sender: SSRC(1), media: Self.media, lost: numbers), now: now)
        pump()
    }

    /// The packets of a frame, by its index, without retransmissions.
    func packets(of frame: Int) -> [Packet] {
        left.filter { $0.ssrc == Self.media && $0.timestamp == timestamps[frame] }
    }

    /// The number and template of a frame of which at least one packet was sent.
    func description(of frame: Int) -> String? {
        packets(of: frame).first?.dependency.map { "\($0.number) \($0.template)" }
    }

    var retransmissions: [Packet] { left.filter { $0.ssrc == Self.again } }

    var drops: [String: Int] { sender.allDrops }
}
