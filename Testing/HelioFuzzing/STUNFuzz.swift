import HelioCore
import HelioSTUN

/// Fuzzes the parsers of STUN messages, TURN streams, channel data and candidate lines. Parsed values must survive a
/// round trip.
package enum STUNFuzz {
    package static func run(_ bytes: [UInt8]) {
        // Limit the size, as text with repaired UTF-8 may be three times as long when written.
        let bytes = Array(bytes.prefix(16_384))
        readMessage(bytes)
        readStream(bytes)
        readCandidate(bytes)
        _ = DatagramKind(bytes.span.bytes)
        if let data = ChannelData(parsing: bytes.span.bytes) {
            for padded in [false, true] {
                let written = data.serialised(padded: padded)
                precondition(ChannelData(parsing: written.span.bytes) == data, "channel data changed on its way")
            }
        }
    }

    private static func readMessage(_ bytes: [UInt8]) {
        guard let packet = try? STUNPacket(parsing: bytes.span.bytes) else { return }
        for seal in packet.seals.values {
            let covered = packet.covered(by: seal, of: bytes.span.bytes)
            precondition(covered.count < bytes.count, "a code covers itself")
        }
        let message = packet.message
        check(message, message.serialised(), seals: 0)
        check(message, message.serialised(fingerprint: false), seals: 0)
        for integrity in [STUNIntegrity.sha1, .sha256] {
            var signed: [UInt8] = []
            let written = message.serialised(integrity: integrity) { covered in
                signed = covered.bytes(at: 0, count: covered.byteCount) ?? []
                return Array(repeating: 0xA5, count: integrity.size)
            }
            check(message, written, seals: 1)
            guard let again = try? STUNPacket(parsing: written.span.bytes), let seal = again.seals[integrity] else {
                preconditionFailure("a code that was written is not found")
            }
            precondition(again.covered(by: seal, of: written.span.bytes) == signed, "covers something else")
        }
    }

    private static func check(_ message: STUNMessage, _ bytes: [UInt8], seals: Int) {
        guard let again = try? STUNPacket(parsing: bytes.span.bytes) else {
            preconditionFailure("own output is refused")
        }
        precondition(again.message == message && again.seals.count == seals, "a message changed on its way")
    }

    /// Checks that the messages in a stream don't depend on how it is split.
    private static func readStream(_ bytes: [UInt8]) {
        let whole = pieces(bytes, step: max(1, bytes.count))
        precondition(whole == pieces(bytes, step: 7), "a stream depends on how it is cut")
        precondition(Array(whole.joined()) == Array(bytes.prefix(whole.joined().count)), "bytes were lost")
    }

    private static func pieces(_ bytes: [UInt8], step: Int) -> [[UInt8]] {
        var framer = STUNStreamFramer()
        var pieces: [[UInt8]] = []
        for start in stride(from: 0, to: bytes.count, by: step) {
            framer.append(Array(bytes[start..<min(bytes.count, start + step)]))
            do {
                while let piece = try framer.next() { pieces.append(piece) }
            } catch {
                return pieces
            }
        }
        return pieces
    }

    private static func readCandidate(_ bytes: [UInt8]) {
        guard let candidate = CandidateAttribute(attributeValue: String(decoding: bytes, as: UTF8.self)) else { return }
        guard let written = candidate.attributeValue, written.utf8.count <= CandidateAttribute.maximumSize else {
            return
        }
        precondition(CandidateAttribute(attributeValue: written) == candidate, "a candidate changed on its way")
    }
}
