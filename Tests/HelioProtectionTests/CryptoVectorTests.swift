import HelioCore
import HelioOpenSSL
import HelioProtection
import Testing

@Suite("Known answers")
struct CryptoVectorTests {
    let crypto = OpenSSLCrypto()

    @Test func aesCounterModeKeystream() throws {
        let context = try crypto.keystream(key: SecretBytes(Vectors.keystreamKey))
        var bytes = [UInt8](repeating: 0, count: 65_282 * 16)
        let counter = CounterBlock { Vectors.keystreamCounter[$0] }
        try context.apply(to: &bytes, range: bytes.indices, counter: counter)
        for (block, expected) in Vectors.keystreamBlocks {
            #expect(Array(bytes[block * 16..<block * 16 + 16]) == expected, "block \(block)")
        }
    }

    @Test func keystreamTouchesItsRangeOnlyAndUndoesItself() throws {
        let context = try crypto.keystream(key: SecretBytes(Vectors.keystreamKey))
        let plain = [UInt8](0..<100)
        var bytes = plain
        let counter = CounterBlock(repeating: 9)
        try context.apply(to: &bytes, range: 10..<60, counter: counter)
        #expect(bytes[..<10] == plain[..<10] && bytes[60...] == plain[60...] && bytes[10..<60] != plain[10..<60])
        try context.apply(to: &bytes, range: 10..<60, counter: counter)
        #expect(bytes == plain)
        #expect(throws: CryptoError.badLength(51)) { try context.apply(to: &bytes, range: 50..<101, counter: counter) }
    }

    @Test func keyDerivation() throws {
        let master = try #require(
            SRTPMasterKey(profile: .aes128CmHmacSha1_80, keyAndSalt: Vectors.derivationMaster))
        let keys = try SRTPSessionKeys(master: master, crypto: crypto)
        #expect(keys.rtp.encryption.bytes == Vectors.derivedKey)
        #expect(keys.rtp.salt.bytes == Vectors.derivedSalt)
        #expect(keys.rtp.authentication.bytes == Vectors.derivedAuthentication)
    }

    @Test(arguments: Vectors.macs) func hmac(_ vector: Vectors.MAC) throws {
        let mac = try crypto.mac(vector.algorithm, key: SecretBytes(vector.key))
        let code = mac.code(over: vector.message.span.bytes, trailer: nil)
        #expect(code.bytes == vector.code)
        // The context can be reused, and a trailer of four bytes gives the same result as bytes of the message.
        if vector.message.count >= 4 {
            let head = Array(vector.message.dropLast(4))
            let trailer = vector.message.suffix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
            let split = mac.code(over: head.span.bytes, trailer: trailer)
            #expect(split.bytes == vector.code)
        }
        for length in 0...vector.code.count + 1 {
            let cut = Array((vector.code + [0])[..<length])
            let isMatch = code.matches(cut.span.bytes)
            #expect(isMatch == (10...vector.code.count).contains(length), "\(length) bytes")
        }
    }

    /// The FIPS 180-4 example "abc".
    @Test func sha256() throws {
        let message = Array("abc".utf8)
        let hash = try crypto.sha256(message.span.bytes)
        #expect(hash == hex("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
    }

    @Test(arguments: [0, 1, 15, 17, 24, 31, 33]) func wrongKeyLengthIsTyped(_ length: Int) {
        let key = SecretBytes([UInt8](repeating: 1, count: length))
        #expect(throws: CryptoError.badLength(length)) { _ = try crypto.sealer(key: key) }
        #expect(throws: CryptoError.badLength(length)) { _ = try crypto.opener(key: key) }
        #expect(throws: CryptoError.badLength(length)) { _ = try crypto.keystream(key: key) }
    }

    @Test func counterModePackets() throws {
        let master = try #require(
            SRTPMasterKey(profile: .aes128CmHmacSha1_80, keyAndSalt: Vectors.derivationMaster))
        var sender = try SRTPSender(key: master, crypto: crypto)
        var packet = Vectors.counterModeRTP
        try sender.protect(rtp: &packet, headerLength: 12, sequence: ExtendedSequence(0x1234))
        #expect(packet == Vectors.counterModeSRTP)
        var control = Vectors.counterModeRTCP
        try sender.protect(rtcp: &control)
        control = Vectors.counterModeRTCP
        try sender.protect(rtcp: &control)
        #expect(control == Vectors.counterModeSRTCP)

        var receiver = try SRTPReceiver(key: master, crypto: crypto)
        _ = try receiver.open(rtp: &packet)
        #expect(packet == Vectors.counterModeRTP)
        let opened = try receiver.open(rtcp: &control)
        #expect(control == Vectors.counterModeRTCP && opened.index == 1)
    }

    @Test(arguments: Vectors.gcm) func gcmPackets(_ vector: Vectors.GCM) throws {
        var sender = try SRTPSender(sessionKeys: sessionKeys(vector), crypto: crypto)
        var packet = Vectors.gcmRTP
        try sender.protect(rtp: &packet, headerLength: 12, sequence: ExtendedSequence(0xF17B))
        #expect(packet == vector.srtp)
        var control: [UInt8] = []
        for _ in 0...Vectors.gcmRTCPIndex {
            control = Vectors.gcmRTCP
            try sender.protect(rtcp: &control)
        }
        #expect(control == vector.srtcp)

        var receiver = try SRTPReceiver(sessionKeys: sessionKeys(vector), crypto: crypto)
        let opened = try receiver.open(rtp: &packet)
        #expect(packet == Vectors.gcmRTP && opened.sequence.rawValue == 0xF17B && opened.headerLength == 12)
        let openedControl = try receiver.open(rtcp: &control)
        #expect(control == Vectors.gcmRTCP && openedControl.index == Vectors.gcmRTCPIndex)
    }

    /// The RFC's packets that are authenticated but not encrypted: the whole packet is associated data.
    @Test(arguments: Vectors.gcm) func gcmTagOnly(_ vector: Vectors.GCM) throws {
        let sealer = try crypto.sealer(key: SecretBytes(vector.key))
        var packet = Vectors.gcmRTP
        try sealer.seal(
            &packet, from: packet.count, trailer: nil, nonce: nonce(hex("0000 5501a0b2 00000000 f17b")))
        #expect(packet == vector.srtpTagged)

        var control = Vectors.gcmRTCP
        try sealer.seal(
            &control, from: control.count, trailer: Vectors.gcmRTCPIndex,
            nonce: nonce(hex("0000 4d617273 0000 000005d4")))
        #expect(control + hex("000005d4") == vector.srtcpTagged)

        let opener = try crypto.opener(key: SecretBytes(vector.key))
        let isGenuine = opener.open(
            &control, from: control.count - 16, trailer: Vectors.gcmRTCPIndex,
            nonce: nonce(hex("0000 4d617273 0000 000005d4")))
        #expect(isGenuine && control == Vectors.gcmRTCP)
    }

    @Test func openerEmptiesWhatIsNotGenuine() throws {
        let opener = try crypto.opener(key: SecretBytes(Vectors.gcm[0].key))
        for count in 0..<40 {
            for start in [0, 8, 12, 41] {
                var packet = [UInt8](repeating: 0x80, count: count)
                let isGenuine = opener.open(&packet, from: start, trailer: nil, nonce: AEADNonce(repeating: 0))
                #expect(!isGenuine && packet.isEmpty)
            }
        }
    }

    private func sessionKeys(_ vector: Vectors.GCM) -> SRTPSessionKeys {
        let half = SRTPSessionKeys.Half(
            encryption: SecretBytes(vector.key), authentication: SecretBytes([]), salt: SecretBytes(Vectors.gcmSalt))
        return SRTPSessionKeys(profile: vector.profile, rtp: half, rtcp: half)
    }

    private func nonce(_ unsalted: [UInt8]) -> AEADNonce { AEADNonce { unsalted[$0] ^ Vectors.gcmSalt[$0] } }
}
