import HelioCore
import HelioOpenSSL
import HelioProtection

/// Both ends of one protected direction.
final class SRTPPair {
    private var sender: SRTPSender
    private var receiver: SRTPReceiver

    init(_ profile: SRTPProfile, streamLimit: Int = 16) throws(CryptoError) {
        var generator = SeededGenerator(seed: 42)
        let key = SRTPMasterKey(profile: profile, using: &generator)
        sender = try SRTPSender(key: key, crypto: OpenSSLCrypto(), streamLimit: streamLimit)
        receiver = try SRTPReceiver(key: key, crypto: OpenSSLCrypto(), streamLimit: streamLimit)
    }

    var drops: DropCounter<SRTPDrop> { receiver.drops }

    func protect(_ packet: [UInt8], headerLength: Int = 12, _ sequence: UInt64) throws(SRTPError) -> [UInt8] {
        var packet = packet
        try sender.protect(rtp: &packet, headerLength: headerLength, sequence: ExtendedSequence(sequence))
        return packet
    }

    /// Returns a protected packet whose payload depends on its sequence number.
    func send(_ sequence: UInt64, ssrc: UInt32 = 7, payload: Int = 20) throws(SRTPError) -> [UInt8] {
        try protect(Self.packet(sequence, ssrc: ssrc, payload: payload), sequence)
    }

    func protect(rtcp packet: [UInt8]) throws(SRTPError) -> [UInt8] {
        var packet = packet
        try sender.protect(rtcp: &packet)
        return packet
    }

    func open(_ protected: [UInt8]) throws(SRTPDrop) -> (packet: [UInt8], info: SRTPReceiver.OpenedRTP) {
        var packet = protected
        let info = try receiver.open(rtp: &packet)
        return (packet, info)
    }

    func open(rtcp protected: [UInt8]) throws(SRTPDrop) -> (packet: [UInt8], info: SRTPReceiver.OpenedRTCP) {
        var packet = protected
        let info = try receiver.open(rtcp: &packet)
        return (packet, info)
    }

    /// The reason why a packet is dropped; `nil` if it is accepted.
    func drop(_ protected: [UInt8]) -> SRTPDrop? {
        do {
            _ = try open(protected)
            return nil
        } catch {
            return error
        }
    }

    func drop(rtcp protected: [UInt8]) -> SRTPDrop? {
        do {
            _ = try open(rtcp: protected)
            return nil
        } catch {
            return error
        }
    }

    static func packet(_ sequence: UInt64, ssrc: UInt32 = 7, payload: Int = 20) -> [UInt8] {
        var packet: [UInt8] = [0x80, 96]
        packet.append(bigEndian: UInt16(truncatingIfNeeded: sequence))
        packet.append(bigEndian: UInt32(1234))
        packet.append(bigEndian: ssrc)
        for offset in 0..<payload { packet.append(UInt8(truncatingIfNeeded: sequence &+ UInt64(offset))) }
        return packet
    }

    /// A receiver report without blocks, followed by extra bytes.
    static func control(ssrc: UInt32 = 7, more: Int = 8) -> [UInt8] {
        var packet: [UInt8] = [0x80, 201, 0, 1]
        packet.append(bigEndian: ssrc)
        packet += [UInt8](repeating: 0x5A, count: more)
        return packet
    }
}
