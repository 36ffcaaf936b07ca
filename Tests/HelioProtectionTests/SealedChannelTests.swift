import HelioCore
import HelioOpenSSL
import HelioProtection
import Testing

@Suite("Sealed channel")
struct SealedChannelTests {
    let key: SealedKey = {
        var generator = SeededGenerator(seed: 5)
        return SealedKey(using: &generator)
    }()

    @Test func messagesOfAnyLengthArriveOnce() throws {
        var sender = try SealedSender(key: key, crypto: OpenSSLCrypto())
        var receiver = try SealedReceiver(key: key, crypto: OpenSSLCrypto())
        for length in [0, 1, 21, 22, 100, 1200] {
            let message = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
            let datagram = try sender.seal(message)
            #expect(datagram.count == length + SealedSender.overhead)
            let opened = receiver.open(datagram)
            #expect(opened == message)
            let again = receiver.open(datagram)
            #expect(again == nil)
        }
        #expect(receiver.drops[.replayed] == 6 && receiver.drops.total == 6)
        #expect(sender.nextSequence == 6)
    }

    /// The layout, composed from its parts: the sequence in clear and authenticated, nonce = salt XOR sequence.
    @Test func layout() throws {
        var sender = try SealedSender(key: key, crypto: OpenSSLCrypto())
        _ = try sender.seal([])
        let datagram = try sender.seal([1, 2, 3])
        var expected: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 1, 1, 2, 3]
        var nonce = AEADNonce { key.salt.bytes[$0] }
        nonce[11] ^= 1
        try OpenSSLCrypto().sealer(key: key.key).seal(&expected, from: 8, trailer: nil, nonce: nonce)
        #expect(datagram == expected)
    }

    @Test func orderIsFreeWithinTheWindow() throws {
        var sender = try SealedSender(key: key, crypto: OpenSSLCrypto())
        var receiver = try SealedReceiver(key: key, crypto: OpenSSLCrypto())
        var datagrams: [[UInt8]] = []
        for n in 0..<200 { datagrams.append(try sender.seal([UInt8(n)])) }
        for n in (0..<200).reversed() {
            let opened = receiver.open(datagrams[n])
            #expect(opened == [UInt8(n)])
        }
        for _ in 0..<ReplayWindow.span { _ = receiver.open(try sender.seal([])) }
        let late = receiver.open(datagrams[0])
        #expect(late == nil)
        #expect(receiver.drops[.tooOld] == 1 && receiver.drops.total == 1)
    }

    @Test func everyFlippedBitAndEveryTruncationIsACountedDrop() throws {
        var sender = try SealedSender(key: key, crypto: OpenSSLCrypto())
        var receiver = try SealedReceiver(key: key, crypto: OpenSSLCrypto())
        let datagram = try sender.seal([UInt8](repeating: 0x33, count: 21))
        for bit in 0..<datagram.count * 8 {
            var forged = datagram
            forged[bit / 8] ^= 1 << UInt8(bit % 8)
            let opened = receiver.open(forged)
            #expect(opened == nil, "bit \(bit)")
        }
        #expect(receiver.drops[.authenticationFailed] == datagram.count * 8)
        for count in 0..<datagram.count {
            let opened = receiver.open(Array(datagram[..<count]))
            #expect(opened == nil, "\(count) bytes")
        }
        #expect(receiver.drops[.truncated] == SealedSender.overhead)
        #expect(receiver.drops.total == datagram.count * 9)
        let opened = receiver.open(datagram)
        #expect(opened != nil)
    }

    @Test func junkIsDropped() throws {
        var receiver = try SealedReceiver(key: key, crypto: OpenSSLCrypto())
        var generator = SeededGenerator(seed: 9)
        for n in 1...10_000 {
            let count = Int.random(in: 0...80, using: &generator)
            let opened = receiver.open((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
            #expect(opened == nil && receiver.drops.total == n)
        }
    }

    @Test func directionsAreApart() throws {
        var generator = SeededGenerator(seed: 6)
        var sender = try SealedSender(key: key, crypto: OpenSSLCrypto())
        var receiver = try SealedReceiver(key: SealedKey(using: &generator), crypto: OpenSSLCrypto())
        let opened = receiver.open(try sender.seal([1]))
        #expect(opened == nil && receiver.drops[.authenticationFailed] == 1)
    }

    @Test func keyTakesItsOwnLengthOnly() {
        #expect(SealedKey(keyAndSalt: key.keyAndSalt.bytes) == key)
        for count in [0, 27, 29, 44] { #expect(SealedKey(keyAndSalt: [UInt8](repeating: 1, count: count)) == nil) }
    }
}
