import HelioCore
import HelioMedia
import HelioOpenSSL
import HelioProtection
import HelioRTP

/// Measures a slice through the stream sender and protection, as sent to a viewer, and its packets through decryption
/// and reassembly.
struct PipelineBench {
    private static let sliceLength = 60_000
    private static let maximumPacketSize = 1200

    private let profile: SRTPProfile
    private let rounds: Int
    private let table: Table

    init(_ profile: SRTPProfile, rounds: Int, _ table: Table) {
        self.profile = profile
        self.rounds = rounds
        self.table = table
    }

    /// Runs the measurements; returns whether both directions meet their budget.
    func run() throws -> Bool {
        var generator = SecureGenerator()
        let key = SRTPMasterKey(profile: profile, using: &generator)
        var sender = try SRTPSender(key: key, crypto: OpenSSLCrypto())
        var receiver = try SRTPReceiver(key: key, crypto: OpenSSLCrypto())
        var configuration = StreamSender.Configuration(
            ssrc: SSRC(7), firstSequence: 0, largestPacket: Self.maximumPacketSize, rate: .megabits(10_000))
        configuration.reserve = profile.rtpOverhead
        configuration.isHostClock = true
        let stream = StreamSender(configuration)
        stream.play(nil)
        let format = SendFormat(payloadType: PayloadType(96), repair: .samePacket)
        var estimator = BandwidthEstimator(most: .megabits(100), isTransportWide: false)
        var now = Instant.zero + .seconds(1)
        var depacketizer = RTPDepacketizer(codec: .h264)
        var slice = Self.slice()
        let count = (Self.sliceLength - 5) / (Self.maximumPacketSize - 14) + 1

        var packets: [[UInt8]] = []
        packets.reserveCapacity(count)
        var frame: [UInt8] = []
        frame.reserveCapacity(Self.sliceLength + 64)
        var sent: [Round] = []
        var received: [Round] = []
        for _ in 0..<rounds {
            packets.removeAll(keepingCapacity: true)
            frame.removeAll(keepingCapacity: true)
            // Half a second of sent frames is kept for retransmission.
            now = now + .milliseconds(16)
            stream.tick(now: now)
            sent.append(
                Round.measure(packets: count) {
                    stream.send(
                        PacketizedSlice(slice, codec: .h264, limits: stream.largestPayload), as: format, now: now)
                    stream.pump(transport: &estimator, now: now) { (departure: consuming StreamSender.Departure) in
                        guard case .packet(var packet, let headerLength, let sequence, _) = consume departure else {
                            return
                        }
                        do throws(SRTPError) {
                            try sender.protect(rtp: &packet, headerLength: headerLength, sequence: sequence)
                            packets.append(packet)
                        } catch {
                            preconditionFailure("\(error)")
                        }
                    }
                })
            precondition(packets.count == count, "\(packets.count) packets, not \(count)")
            received.append(
                Round.measure(packets: count) {
                    for n in packets.indices {
                        do throws(SRTPDrop) {
                            let opened = try receiver.open(rtp: &packets[n])
                            let packet = packets[n]
                            _ = depacketizer.append(
                                payload: packet.span.bytes.extracting(droppingFirst: opened.headerLength), to: &frame)
                        } catch {
                            preconditionFailure("\(error)")
                        }
                    }
                })
            precondition(frame == slice.annexB, "not what was sent")
            slice.frameIndex += 1
        }
        let isSendingKept = table.row(
            "\(profile.rawValue) send+protect", Summary(sent), budget: .sending)
        let isReceivingKept = table.row(
            "\(profile.rawValue) open+reassemble", Summary(received), budget: .reassembly)
        return isSendingKept && isReceivingKept
    }

    /// One NAL unit of an IDR picture without bytes that resemble a start code.
    private static func slice() -> EncodedSlice {
        let payload = (0..<sliceLength - 5).map { UInt8(truncatingIfNeeded: $0) | 1 }
        return EncodedSlice(
            frameIndex: 0, annexB: [0, 0, 0, 1, 0x65] + payload, isFirst: true, isLast: true, isKeyframe: true,
            timing: FrameTiming(damaged: .zero, captured: .zero))
    }
}
