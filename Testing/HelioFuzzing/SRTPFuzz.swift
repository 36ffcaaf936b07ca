import HelioCore
import HelioProtection

/// Fuzzes SRTP and SRTCP: any bytes must be rejected as protected packets, and valid packets must survive protection;
/// forged and replayed ones must be rejected.
package enum SRTPFuzz {
    /// Runs the checks with a byte that selects the profile, two bytes that select a bit to flip, and a packet.
    package static func run(_ bytes: [UInt8]) {
        guard bytes.count >= 3 else { return }
        let profile = SRTPProfile.allCases[Int(bytes[0]) % SRTPProfile.allCases.count]
        let flip = Int(bytes[1]) << 8 | Int(bytes[2])
        let packet = Array(bytes[3...])
        do {
            try openJunk(packet, profile)
            try roundTripRTP(packet, profile, flip: flip)
            try roundTripRTCP(packet, profile, flip: flip)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func openJunk(_ packet: [UInt8], _ profile: SRTPProfile) throws {
        var receiver = try SRTPReceiver(key: key(profile), crypto: ToyCrypto())
        var rtp = packet
        precondition((try? receiver.open(rtp: &rtp)) == nil, "junk was taken for RTP")
        var rtcp = packet
        precondition((try? receiver.open(rtcp: &rtcp)) == nil, "junk was taken for RTCP")
        precondition(receiver.drops.total == 2, "a drop was not counted")
    }

    private static func roundTripRTP(_ packet: [UInt8], _ profile: SRTPProfile, flip: Int) throws {
        guard packet.count >= 12 else { return }
        var plain = packet
        plain[0] = plain[0] & 0x3F | 0x80
        plain[2] &= 0x7F
        var headerLength = 12 + 4 * Int(plain[0] & 0x0F)
        if plain[0] & 0x10 != 0 {
            guard let words = plain.span.bytes.uint16(at: headerLength + 2) else { return }
            headerLength += 4 + 4 * Int(words)
        }
        guard headerLength <= plain.count else { return }
        let sequence = ExtendedSequence(UInt64(plain[2]) << 8 | UInt64(plain[3]))

        var sender = try SRTPSender(key: key(profile), crypto: ToyCrypto())
        var sealed = plain
        try sender.protect(rtp: &sealed, headerLength: headerLength, sequence: sequence)
        precondition(sealed.count == plain.count + profile.rtpOverhead)

        var receiver = try SRTPReceiver(key: key(profile), crypto: ToyCrypto())
        var forged = sealed
        forged[flip / 8 % forged.count] ^= 1 << UInt8(flip % 8)
        precondition((try? receiver.open(rtp: &forged)) == nil, "a forged packet was opened")

        var opened = sealed
        let result = try receiver.open(rtp: &opened)
        precondition(opened == plain && result.sequence == sequence && result.headerLength == headerLength)
        precondition((try? receiver.open(rtp: &sealed)) == nil, "a replay was opened")
        precondition(receiver.drops[.replayed] == 1 && receiver.drops.total == 2)
    }

    private static func roundTripRTCP(_ packet: [UInt8], _ profile: SRTPProfile, flip: Int) throws {
        guard packet.count >= 8 else { return }
        var plain = packet
        plain[0] = plain[0] & 0x3F | 0x80
        var sender = try SRTPSender(key: key(profile), crypto: ToyCrypto())
        var sealed = plain
        try sender.protect(rtcp: &sealed)
        precondition(sealed.count == plain.count + profile.rtcpOverhead)

        var receiver = try SRTPReceiver(key: key(profile), crypto: ToyCrypto())
        var forged = sealed
        forged[flip / 8 % forged.count] ^= 1 << UInt8(flip % 8)
        precondition((try? receiver.open(rtcp: &forged)) == nil, "a forged packet was opened")

        var opened = sealed
        let result = try receiver.open(rtcp: &opened)
        precondition(opened == plain && result.index == 0)
        precondition((try? receiver.open(rtcp: &sealed)) == nil, "a replay was opened")
        precondition(receiver.drops[.replayed] == 1 && receiver.drops.total == 2)
    }

    private static func key(_ profile: SRTPProfile) -> SRTPMasterKey {
        var generator = SeededGenerator(seed: 7)
        return SRTPMasterKey(profile: profile, using: &generator)
    }
}
