import HelioCore
import HelioOpenSSL
import HelioProtection
import Testing

@Suite("SRTP against hostile input")
struct SRTPHostileTests {
    @Test(arguments: SRTPProfile.allCases) func everyFlippedBitIsACountedDrop(_ profile: SRTPProfile) throws {
        let pair = try SRTPPair(profile)
        let sealed = try pair.send(300)
        for bit in 0..<sealed.count * 8 {
            var forged = sealed
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(pair.drop(forged) != nil, "bit \(bit)")
            #expect(pair.drops.total == bit + 1)
        }
        // None of them has used up the sequence number or moved the window.
        #expect(try pair.open(sealed).packet == SRTPPair.packet(300))
    }

    @Test(arguments: SRTPProfile.allCases) func everyFlippedBitOfControlIsACountedDrop(_ profile: SRTPProfile) throws {
        let pair = try SRTPPair(profile)
        let sealed = try pair.protect(rtcp: SRTPPair.control())
        for bit in 0..<sealed.count * 8 {
            var forged = sealed
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            #expect(pair.drop(rtcp: forged) != nil, "bit \(bit)")
            #expect(pair.drops.total == bit + 1)
        }
        #expect(pair.drops[.notEncrypted] == 1)
        #expect(try pair.open(rtcp: sealed).packet == SRTPPair.control())
    }

    @Test(arguments: SRTPProfile.allCases) func everyTruncationIsACountedDrop(_ profile: SRTPProfile) throws {
        let pair = try SRTPPair(profile)
        let sealed = try pair.send(300)
        for count in 0..<sealed.count {
            let reason: SRTPDrop = count < 12 + profile.tagLength ? .truncated : .authenticationFailed
            #expect(pair.drop(Array(sealed[..<count])) == reason)
        }
        let control = try pair.protect(rtcp: SRTPPair.control())
        for count in 0..<control.count { #expect(pair.drop(rtcp: Array(control[..<count])) != nil) }
        #expect(pair.drops.total == sealed.count + control.count)
    }

    @Test(arguments: SRTPProfile.allCases) func junkIsDropped(_ profile: SRTPProfile) throws {
        let pair = try SRTPPair(profile)
        var generator = SeededGenerator(seed: 1)
        for n in 1...10_000 {
            let count = Int.random(in: 0...90, using: &generator)
            var junk = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
            // Half of the junk resembles RTP, so that it passes the first checks.
            if n.isMultiple(of: 2), count > 0 { junk[0] = junk[0] & 0x3F | 0x80 }
            #expect(pair.drop(junk) != nil)
            #expect(pair.drop(rtcp: junk) != nil)
            #expect(pair.drops.total == 2 * n)
        }
        // The junk contained thousands of SSRCs, none of which took up room.
        #expect(pair.drops[.tooManyStreams] == 0)
        #expect(pair.drops[.authenticationFailed] > 1000)
        #expect(pair.drop(try pair.send(1)) == nil)
    }

    /// Headers that claim more bytes than there are.
    @Test(
        arguments: [
            ("15 sources", 0x8F, 12), ("an extension without its words", 0x90, 14),
            ("65,535 words of extension", 0x90, 16),
        ] as [(String, UInt8, Int)])
    func lyingHeaders(_ name: String, _ first: UInt8, _ length: Int) throws {
        for profile in SRTPProfile.allCases {
            let pair = try SRTPPair(profile)
            var packet = [UInt8](repeating: 0xFF, count: length)
            packet[0] = first
            #expect(pair.drop(packet) == .truncated, "\(name)")
        }
    }

    /// A replayed packet is recognised by its number before its tag (here invalid) is verified, so it costs no
    /// decryption.
    @Test func replaysAreToldBeforeDecryption() throws {
        let pair = try SRTPPair(.aeadAes128Gcm)
        var sealed = try pair.send(1)
        _ = try pair.open(sealed)
        sealed[sealed.count - 1] ^= 1
        #expect(pair.drop(sealed) == .replayed)
    }

    @Test func otherVersionsAreDropped() throws {
        let pair = try SRTPPair(.aeadAes128Gcm)
        for version in [UInt8(0), 1, 3] {
            var sealed = try pair.send(UInt64(version))
            sealed[0] = sealed[0] & 0x3F | version << 6
            #expect(pair.drop(sealed) == .badVersion)
            var control = try pair.protect(rtcp: SRTPPair.control())
            control[0] = control[0] & 0x3F | version << 6
            #expect(pair.drop(rtcp: control) == .badVersion)
        }
    }

    /// RTP keys open no RTCP, nor the other way round.
    @Test(arguments: SRTPProfile.allCases) func halvesAreApart(_ profile: SRTPProfile) throws {
        let pair = try SRTPPair(profile)
        #expect(pair.drop(rtcp: try pair.send(1)) != nil)
        #expect(pair.drop(try pair.protect(rtcp: SRTPPair.control(more: 40))) != nil)
    }
}
