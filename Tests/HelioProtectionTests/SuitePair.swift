import HelioCore
import HelioOpenSSL
import HelioProtection

/// Both ends of one direction protected by a suite: SRTP and a control channel.
final class SuitePair {
    private var sender: SRTPSender
    private var receiver: SRTPReceiver
    private var controlSender: SealedSender
    private var controlReceiver: SealedReceiver

    /// - Parameter other: the receiving end's secret, if it differs.
    init(_ suite: ProtectionSuite, receiver other: SuiteSecret? = nil, session: UInt64 = 42) throws {
        var generator = SeededGenerator(seed: session)
        let key = SRTPMasterKey(profile: .aeadAes128Gcm, using: &generator)
        let controlKey = SealedKey(using: &generator)
        let secret = try SuiteSecret.test(suite.cipher)
        let sending = try SuiteCrypto.test(suite, secret, vectorSeed: 1)
        let receiving = try SuiteCrypto.test(suite, other ?? secret, vectorSeed: 2)
        sender = try SRTPSender(key: key, crypto: sending)
        receiver = try SRTPReceiver(key: key, crypto: receiving)
        controlSender = try SealedSender(key: controlKey, crypto: sending)
        controlReceiver = try SealedReceiver(key: controlKey, crypto: receiving)
    }

    var drops: DropCounter<SRTPDrop> { receiver.drops }
    var controlDrops: DropCounter<SealedDrop> { controlReceiver.drops }
    var rtpOverhead: Int { sender.rtpOverhead }

    func send(_ sequence: UInt64, ssrc: UInt32 = 7, payload: Int = 20) throws -> [UInt8] {
        var packet = SRTPPair.packet(sequence, ssrc: ssrc, payload: payload)
        try sender.protect(rtp: &packet, headerLength: 12, sequence: ExtendedSequence(sequence))
        return packet
    }

    func sendControl(more: Int = 8) throws -> [UInt8] {
        var packet = SRTPPair.control(more: more)
        try sender.protect(rtcp: &packet)
        return packet
    }

    func open(_ protected: [UInt8]) throws(SRTPDrop) -> [UInt8] {
        var packet = protected
        _ = try receiver.open(rtp: &packet)
        return packet
    }

    func open(rtcp protected: [UInt8]) throws(SRTPDrop) -> [UInt8] {
        var packet = protected
        _ = try receiver.open(rtcp: &packet)
        return packet
    }

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

    func seal(_ message: [UInt8]) throws -> [UInt8] { try controlSender.seal(message) }
    func open(message datagram: [UInt8]) -> [UInt8]? { controlReceiver.open(datagram) }
}

extension SuiteSecret {
    /// - Parameters: the value of each byte of the respective secret.
    static func test(
        _ cipher: SuiteCipher, key: UInt8 = 1, vector: UInt8 = 2, authentication: UInt8 = 3
    ) throws -> SuiteSecret {
        let made = SuiteSecret(
            for: cipher, key: SecretBytes(Vectors.repeated(key, cipher.keyLength)),
            vector: SecretBytes(Vectors.repeated(vector, 16)),
            authenticationKey: SecretBytes(Vectors.repeated(authentication, 32)))
        guard let made else { throw CryptoError.badLength(cipher.keyLength) }
        return made
    }
}

extension SuiteCrypto {
    static func test(_ suite: ProtectionSuite, _ secret: SuiteSecret, vectorSeed: UInt8) throws -> SuiteCrypto {
        SuiteCrypto(
            try SuiteKeySchedule(suite, secret, crypto: OpenSSLCrypto()),
            vectorSeed: SecretBytes(Vectors.repeated(vectorSeed, 32)), over: OpenSSLCrypto())
    }
}
