import HelioCore
import HelioOpenSSL
import HelioProtection
import Testing

@Suite("SRTP round trips")
struct SRTPRoundTripTests {
    @Test(arguments: SRTPProfile.allCases, [0, 1, 15, 16, 17, 1188])
    func payloadOfAnyLength(_ profile: SRTPProfile, _ length: Int) throws {
        let pair = try SRTPPair(profile)
        let plain = SRTPPair.packet(5, payload: length)
        let sealed = try pair.protect(plain, 5)
        #expect(sealed.count == plain.count + profile.rtpOverhead)
        #expect(sealed[..<12] == plain[..<12])
        if length >= 15 { #expect(sealed[12..<12 + length] != plain[12...]) }
        let opened = try pair.open(sealed)
        #expect(opened.packet == plain)
        #expect(opened.info.sequence == ExtendedSequence(5) && opened.info.ssrc == SSRC(7))
        #expect(pair.drops.total == 0)
    }

    /// Contributing sources and a header extension are authenticated but not encrypted.
    @Test(arguments: SRTPProfile.allCases, [(0, nil), (1, nil), (15, 0), (0, 3), (15, 3)] as [(Int, Int?)])
    func headersOfAnyShape(_ profile: SRTPProfile, _ shape: (sources: Int, extensionWords: Int?)) throws {
        var plain = SRTPPair.packet(9, payload: 0)
        plain[0] |= UInt8(shape.sources)
        plain += [UInt8](repeating: 0xC5, count: shape.sources * 4)
        if let words = shape.extensionWords {
            plain[0] |= 0x10
            plain += [0xBE, 0xDE, 0, UInt8(words)] + [UInt8](repeating: 0xE7, count: words * 4)
        }
        let headerLength = plain.count
        plain += Array("the payload itself".utf8)
        let pair = try SRTPPair(profile)
        let sealed = try pair.protect(plain, headerLength: headerLength, 9)
        #expect(sealed[..<headerLength] == plain[..<headerLength])
        #expect(sealed[headerLength..<plain.count] != plain[headerLength...])

        for offset in 0..<headerLength {
            var forged = sealed
            forged[offset] ^= 1
            #expect(pair.drop(forged) != nil, "byte \(offset)")
        }
        let opened = try pair.open(sealed)
        #expect(opened.packet == plain && opened.info.headerLength == headerLength)
    }

    /// Strides below half the range pass many wraps in few packets.
    @Test(arguments: SRTPProfile.allCases, [(0, 0x7FFF), (0x7FFF, 1), (1, 0x1234), (0x7000, 0x7FFE)])
    func countsOnAcrossWraps(_ profile: SRTPProfile, _ walk: (start: UInt64, stride: UInt64)) throws {
        let pair = try SRTPPair(profile)
        for n in UInt64(0)..<120 {
            let sequence = walk.start + n * walk.stride
            let opened = try pair.open(try pair.send(sequence))
            #expect(opened.info.sequence.rawValue == sequence)
            #expect(opened.packet == SRTPPair.packet(sequence))
        }
        #expect(pair.drops.total == 0)
    }

    /// The last packet before the wrap has any of the 40 numbers before it.
    @Test(arguments: SRTPProfile.allCases, Array(0xFFD8...0xFFFF) as [UInt64])
    func wrapsWhereverTheStreamWas(_ profile: SRTPProfile, _ before: UInt64) throws {
        let pair = try SRTPPair(profile)
        for sequence in [0x7000, 0xE000, before, before + 1, before + 40, before + 0x7000] {
            let opened = try pair.open(try pair.send(sequence))
            #expect(opened.info.sequence.rawValue == sequence)
        }
        #expect(pair.drops.total == 0)
    }

    @Test(arguments: SRTPProfile.allCases) func reordersAcrossTheWrap(_ profile: SRTPProfile) throws {
        let pair = try SRTPPair(profile)
        var generator = SeededGenerator(seed: 3)
        _ = try pair.open(try pair.send(0x7F00))
        _ = try pair.open(try pair.send(0xFE00))
        var window: [(sequence: UInt64, packet: [UInt8])] = []
        for sequence in UInt64(0xFF00)..<0x1_0100 { window.append((sequence, try pair.send(sequence))) }
        window.shuffle(using: &generator)
        for (sequence, packet) in window {
            #expect(try pair.open(packet).info.sequence.rawValue == sequence)
        }
        #expect(pair.drops.total == 0)
        for (_, packet) in window { #expect(pair.drop(packet) == .replayed) }
        #expect(pair.drops[.replayed] == window.count && pair.drops.total == window.count)
    }

    @Test func packetsFromBeforeTheFirstOneAreOpened() throws {
        let pair = try SRTPPair(.aeadAes128Gcm)
        let early = try pair.send(100)
        _ = try pair.open(try pair.send(103))
        #expect(try pair.open(early).info.sequence.rawValue == 100)
    }

    @Test(arguments: SRTPProfile.allCases) func oldPacketsAreDropped(_ profile: SRTPProfile) throws {
        let pair = try SRTPPair(profile)
        let span = ReplayWindow.span
        let old = try pair.send(10)
        let onEdge = try pair.send(11)
        _ = try pair.open(try pair.send(10 + span))
        #expect(pair.drop(old) == .tooOld)
        #expect(pair.drop(onEdge) == nil)
    }

    @Test(arguments: SRTPProfile.allCases) func controlPackets(_ profile: SRTPProfile) throws {
        let pair = try SRTPPair(profile)
        for (index, more) in [0, 4, 16, 400].enumerated() {
            let plain = SRTPPair.control(more: more)
            let sealed = try pair.protect(rtcp: plain)
            #expect(sealed.count == plain.count + profile.rtcpOverhead && sealed[..<8] == plain[..<8])
            let opened = try pair.open(rtcp: sealed)
            #expect(opened.packet == plain && opened.info.index == UInt32(index) && opened.info.ssrc == SSRC(7))
            #expect(pair.drop(rtcp: sealed) == .replayed)
        }
    }

    @Test(arguments: SRTPProfile.allCases) func streamsAreApart(_ profile: SRTPProfile) throws {
        let pair = try SRTPPair(profile, streamLimit: 3)
        for ssrc in UInt32(1)...3 {
            #expect(try pair.open(try pair.send(500, ssrc: ssrc)).info.ssrc == SSRC(ssrc))
        }
    }

    /// Tracks start and end during a long connection: ended ones make room, and their sequence numbers are neither
    /// accepted nor sent twice.
    @Test(arguments: SRTPProfile.allCases) func streamsMakeRoom(_ profile: SRTPProfile) throws {
        let pair = try SRTPPair(profile, streamLimit: 3)
        var first: (rtp: [UInt8], rtcp: [UInt8])?
        for ssrc in UInt32(1)...300 {
            let rtp = try pair.send(500, ssrc: ssrc)
            let rtcp = try pair.protect(rtcp: SRTPPair.control(ssrc: ssrc))
            if first == nil { first = (rtp, rtcp) }
            #expect(try pair.open(rtp).info.ssrc == SSRC(ssrc))
            #expect(try pair.open(rtcp: rtcp).info.index == 0)
        }
        let old = try #require(first)
        #expect(pair.drop(old.rtp) == .tooOld && pair.drop(rtcp: old.rtcp) == .tooOld)
        // The stream returns, with numbers after those it has used.
        for used in [499, 500] as [UInt64] {
            #expect(throws: SRTPError.sequenceReused) { try pair.send(used, ssrc: 1) }
        }
        #expect(try pair.open(try pair.send(501, ssrc: 1)).info.sequence == ExtendedSequence(501))
        #expect(try pair.open(rtcp: try pair.protect(rtcp: SRTPPair.control(ssrc: 1))).info.index == 1)
        #expect(pair.drop(old.rtp) == .replayed && pair.drop(rtcp: old.rtcp) == .replayed)
        #expect(throws: SRTPError.sequenceReused) { try pair.send(500, ssrc: 1) }
    }

    /// Of an evicted stream only the newest number is known: everything before it is too old, received or not.
    @Test func oneMoreThanTheLimitMakesRoom() throws {
        let pair = try SRTPPair(.aeadAes128Gcm, streamLimit: 3)
        let late = try pair.send(9, ssrc: 1)
        let later = try pair.send(10, ssrc: 2)
        for ssrc in UInt32(1)...3 { _ = try pair.open(try pair.send(20, ssrc: ssrc)) }
        #expect(pair.drop(later) == nil)
        _ = try pair.open(try pair.send(20, ssrc: 4))
        #expect(pair.drop(late) == .tooOld)
    }

    @Test func sourcesAreBounded() throws {
        let pair = try SRTPPair(.aeadAes128Gcm, streamLimit: 3)
        for ssrc in 0..<UInt32(SRTPReceiver.mostSources) { _ = try pair.open(try pair.send(0, ssrc: ssrc)) }
        #expect(pair.drop(try pair.send(0, ssrc: UInt32(SRTPReceiver.mostSources))) == .tooManyStreams)
        #expect(try pair.open(try pair.send(1, ssrc: 0)).info.ssrc == SSRC(0))
        for ssrc in UInt32(SRTPReceiver.mostSources) + 1..<UInt32(SRTPSender.mostSources) {
            _ = try pair.send(0, ssrc: ssrc)
        }
        #expect(throws: SRTPError.tooManyStreams) { try pair.send(0, ssrc: UInt32(SRTPSender.mostSources)) }
        _ = try pair.send(2, ssrc: 0)
    }

    @Test func misuseIsRefusedAndLeavesThePacketAlone() throws {
        let pair = try SRTPPair(.aeadAes128Gcm)
        let packet = SRTPPair.packet(20)
        #expect(throws: SRTPError.sequenceMismatch) { try pair.protect(packet, 21) }
        #expect(throws: SRTPError.malformedPacket) { try pair.protect(packet, headerLength: 11, 20) }
        #expect(throws: SRTPError.malformedPacket) { try pair.protect(packet, headerLength: packet.count + 1, 20) }
        #expect(throws: SRTPError.malformedPacket) { try pair.protect([], headerLength: 0, 0) }
        #expect(throws: SRTPError.malformedPacket) { try pair.protect([UInt8](repeating: 0, count: 20), 0) }
        #expect(throws: SRTPError.malformedPacket) { try pair.protect(rtcp: [0x80, 200, 0]) }
        #expect(throws: SRTPError.keyExhausted) { try pair.protect(packet, 1 << 48 | 20) }
        _ = try pair.protect(packet, 20)
        #expect(throws: SRTPError.sequenceReused) { try pair.protect(packet, 20) }
        _ = try pair.send(20 + ReplayWindow.span)
        #expect(throws: SRTPError.sequenceReused) { try pair.send(19) }
    }

    @Test func masterKeyTakesItsOwnLengthOnly() {
        for profile in SRTPProfile.allCases {
            let length = profile.keyLength + profile.saltLength
            let bytes = [UInt8](0..<UInt8(length))
            #expect(SRTPMasterKey(profile: profile, keyAndSalt: bytes)?.keyAndSalt.bytes == bytes)
            #expect(SRTPMasterKey(profile: profile, keyAndSalt: bytes + [0]) == nil)
            #expect(SRTPMasterKey(profile: profile, keyAndSalt: bytes.dropLast()) == nil)
        }
    }
}
