import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRTP
import HelioSimulation

/// A slice through packetiser and protection, and its packets through opening and reassembly.
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

    /// Whether both ways keep to their budget.
    func run() throws -> Bool {
        var generator = SecureGenerator()
        let key = SRTPMasterKey(profile: profile, using: &generator)
        var sender = try SRTPSender(key: key, crypto: OpenSSLCrypto())
        var receiver = try SRTPReceiver(key: key, crypto: OpenSSLCrypto())
        var packetizer = RTPPacketizer(
            codec: .h264, ssrc: SSRC(7), payloadType: PayloadType(96), firstSequence: ExtendedSequence(0),
            maximumPacketSize: Self.maximumPacketSize, timingExtensionID: nil)
        var depacketizer = RTPDepacketizer(codec: .h264)
        let slice = Self.slice()
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
            sent.append(
                Round.measure(packets: count) {
                    packetizer.packetize(slice, timestamp: 0, sent: .zero, reserve: profile.rtpOverhead) {
                        sequence, packet, headerLength in
                        do throws(SRTPError) {
                            var packet = packet
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
        }
        let isSendingKept = table.row(
            "\(profile.rawValue) packetise+protect", Summary(sent), budget: .packetising)
        let isReceivingKept = table.row(
            "\(profile.rawValue) open+reassemble", Summary(received), budget: .reassembly)
        return isSendingKept && isReceivingKept
    }

    /// One NAL unit of an IDR picture, with no byte pattern that a parser could take for a start code.
    private static func slice() -> EncodedSlice {
        let payload = (0..<sliceLength - 5).map { UInt8(truncatingIfNeeded: $0) | 1 }
        return EncodedSlice(
            frameIndex: 0, annexB: [0, 0, 0, 1, 0x65] + payload, isFirst: true, isLast: true, isKeyframe: true,
            timing: FrameTiming(damaged: .zero, captured: .zero))
    }
}
