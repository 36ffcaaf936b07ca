import HelioCore
import HelioProtection

/// Fuzzes sealed channels: any bytes must be rejected as a sealed datagram, and must survive sealing as a message;
/// forged and replayed datagrams must be rejected.
package enum SealedChannelFuzz {
    /// Runs the checks with two bytes that select a bit to flip, and a datagram or message.
    package static func run(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return }
        let flip = Int(bytes[0]) << 8 | Int(bytes[1])
        let message = Array(bytes[2...])
        var generator = SeededGenerator(seed: 11)
        let key = SealedKey(using: &generator)
        do {
            var sender = try SealedSender(key: key, crypto: ToyCrypto())
            var receiver = try SealedReceiver(key: key, crypto: ToyCrypto())
            precondition(receiver.open(message) == nil && receiver.drops.total == 1, "junk was opened")

            let sealed = try sender.seal(message)
            precondition(sealed.count == message.count + SealedSender.overhead)
            var forged = sealed
            forged[flip / 8 % forged.count] ^= 1 << UInt8(flip % 8)
            precondition(receiver.open(forged) == nil && receiver.drops.total == 2, "a forged datagram was opened")
            precondition(receiver.open(sealed) == message, "a message changed on its way")
            precondition(receiver.open(sealed) == nil && receiver.drops[.replayed] == 1, "a replay was opened")
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
