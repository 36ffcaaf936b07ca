import HelioAdmission
import HelioCore
import HelioProtection
import HelioSession

/// Fuzzes the protection suites: any bytes must be rejected as protected packets and datagrams, and must survive
/// protection; forged, cut and replayed ones must be rejected. It also parses any bytes as the suites' signalling
/// header.
package enum SuiteFuzz {
    /// Runs the checks with a byte that selects the suite, two bytes that select a bit to flip, and a packet, datagram
    /// or header.
    package static func run(_ bytes: [UInt8]) {
        guard bytes.count >= 3 else { return }
        let suite = ProtectionSuite.all[Int(bytes[0]) % ProtectionSuite.all.count]
        let flip = Int(bytes[1]) << 8 | Int(bytes[2])
        let rest = Array(bytes[3...])
        readHeader(String(decoding: rest, as: UTF8.self))
        do {
            let crypto = try crypto(suite)
            try openJunk(rest, crypto)
            try roundTrip(rest, suite, crypto, flip: flip)
            try roundTripControl(rest, suite, crypto, flip: flip)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func readHeader(_ text: String) {
        for step in SuiteHeader.Step.allCases {
            guard let header = SuiteHeader(step, value: text) else { continue }
            precondition(SuiteHeader(step, value: header.value) == header, "a header changed when it was written")
        }
    }

    private static func openJunk(_ bytes: [UInt8], _ crypto: SuiteCrypto) throws {
        var receiver = try SRTPReceiver(key: mediaKey, crypto: crypto)
        var rtp = bytes
        precondition((try? receiver.open(rtp: &rtp)) == nil, "junk was taken for RTP")
        var rtcp = bytes
        precondition((try? receiver.open(rtcp: &rtcp)) == nil, "junk was taken for RTCP")
        precondition(receiver.drops.total == 2, "a drop was not counted")
        var control = try SealedReceiver(key: controlKey, crypto: crypto)
        precondition(control.open(bytes) == nil && control.drops.total == 1, "junk was taken for control")
    }

    private static func roundTrip(
        _ payload: [UInt8], _ suite: ProtectionSuite, _ crypto: SuiteCrypto, flip: Int
    ) throws {
        let plain: [UInt8] = [0x80, 96, 0, 9, 0, 0, 0, 1, 0, 0, 0, 7] + payload
        var sender = try SRTPSender(key: mediaKey, crypto: crypto)
        var sealed = plain
        try sender.protect(rtp: &sealed, headerLength: 12, sequence: ExtendedSequence(9))
        precondition((suite.leastOverhead...suite.mostOverhead).contains(sealed.count - plain.count))

        var receiver = try SRTPReceiver(key: mediaKey, crypto: crypto)
        var forged = sealed
        forged[flip / 8 % forged.count] ^= 1 << UInt8(flip % 8)
        precondition((try? receiver.open(rtp: &forged)) == nil, "a forged packet was opened")
        var cut = Array(sealed[..<(flip % sealed.count)])
        precondition((try? receiver.open(rtp: &cut)) == nil, "a cut packet was opened")

        var opened = sealed
        let result = try receiver.open(rtp: &opened)
        precondition(opened == plain && result.headerLength == 12)
        precondition((try? receiver.open(rtp: &sealed)) == nil, "a replay was opened")
        precondition(receiver.drops[.replayed] == 1 && receiver.drops.total == 3)
    }

    private static func roundTripControl(
        _ message: [UInt8], _ suite: ProtectionSuite, _ crypto: SuiteCrypto, flip: Int
    ) throws {
        var sender = try SealedSender(key: controlKey, crypto: crypto)
        var receiver = try SealedReceiver(key: controlKey, crypto: crypto)
        let sealed = try sender.seal(message)
        precondition((suite.leastOverhead...suite.mostOverhead).contains(sealed.count - message.count - 8))
        var forged = sealed
        forged[flip / 8 % forged.count] ^= 1 << UInt8(flip % 8)
        precondition(receiver.open(forged) == nil && receiver.drops.total == 1, "a forged datagram was opened")
        precondition(receiver.open(sealed) == message, "a message changed on its way")
        precondition(receiver.open(sealed) == nil && receiver.drops[.replayed] == 1, "a replay was opened")
    }

    private static func crypto(_ suite: ProtectionSuite) throws -> SuiteCrypto {
        var generator = SeededGenerator(seed: 13)
        let key = SecretBytes(count: suite.cipher.keyLength, using: &generator)
        let vector = SecretBytes(count: 16, using: &generator)
        let authentication = SecretBytes(count: 32, using: &generator)
        guard
            let secret = SuiteSecret(for: suite.cipher, key: key, vector: vector, authenticationKey: authentication)
        else { preconditionFailure("these lengths fit") }
        return SuiteCrypto(
            try SuiteKeySchedule(suite, secret, crypto: ToyCrypto()),
            vectorSeed: SecretBytes(count: 32, using: &generator), over: ToyCrypto())
    }

    private static var mediaKey: SRTPMasterKey {
        var generator = SeededGenerator(seed: 7)
        return SRTPMasterKey(profile: .aeadAes128Gcm, using: &generator)
    }

    private static var controlKey: SealedKey {
        var generator = SeededGenerator(seed: 11)
        return SealedKey(using: &generator)
    }
}
