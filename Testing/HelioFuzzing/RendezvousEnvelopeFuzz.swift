import HelioCore
import HelioProtection
import HelioRendezvous
import HelioRendezvousWire

/// Fuzzes the sealed messages of a call: junk and forgeries must be refused, and messages that both ends seal in any
/// turn must arrive as they were.
package enum RendezvousEnvelopeFuzz {
    private static let secret = SecretBytes([UInt8](repeating: 5, count: 16))
    private static let device = RendezvousID([UInt8](repeating: 7, count: 16))

    /// Runs the checks with two bytes that select a bit to flip and a byte whose bits select who speaks; what follows
    /// is the message.
    package static func run(_ bytes: [UInt8]) {
        guard bytes.count >= 3 else { return }
        let flip = Int(bytes[0]) << 8 | Int(bytes[1])
        let message = Array(bytes[3...])
        do {
            refuses(message, by: try end(isRinger: false))
            refuses(message, by: try end(isRinger: true))
            try forge(message, flip)
            try talk(message, turns: bytes[2])
        } catch {
            preconditionFailure("\(error)")
        }
    }

    private static func end(isRinger: Bool) throws -> CallSealer {
        guard let device else { preconditionFailure("a device has 16 bytes") }
        var random = SeededGenerator(seed: isRinger ? 1 : 2)
        return isRinger
            ? try CallSealer(ringing: secret, device: device, crypto: ToyCrypto(), random: &random)
            : try CallSealer(answering: secret, device: device, crypto: ToyCrypto(), random: &random)
    }

    private static func refuses(_ envelope: [UInt8], by end: consuming CallSealer) {
        precondition((try? end.open(envelope)) == nil, "junk was opened")
        precondition((try? end.open(envelope)) == nil, "an ended call goes on")
    }

    private static func forge(_ message: [UInt8], _ flip: Int) throws {
        var ringer = try end(isRinger: true)
        var forged = try ringer.seal(message)
        forged[flip / 8 % forged.count] ^= 1 << UInt8(flip % 8)
        refuses(forged, by: try end(isRinger: false))
    }

    private static func talk(_ message: [UInt8], turns: UInt8) throws {
        var ringer = try end(isRinger: true)
        var host = try end(isRinger: false)
        let first = try host.open(ringer.seal(message))
        precondition(first == message, "a message changed on its way")
        for bit in 0..<8 {
            let isRingers = turns >> UInt8(bit) & 1 == 1
            let opened = isRingers ? try host.open(ringer.seal(message)) : try ringer.open(host.seal(message))
            precondition(opened == message, "a message changed on its way")
        }
        if turns != .max { precondition(ringer.linkSecret() == host.linkSecret(), "the links' secrets differ") }
    }
}
