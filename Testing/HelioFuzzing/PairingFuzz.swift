import HelioAdmission
import HelioCore
import HelioHost
import HelioSession

/// Fuzzes a pairing in which one end sends arbitrary bytes.
///
/// The first byte selects the meaning of the rest: 0 for a header, 1 for a viewer's signalling, 2 for a host's. The
/// second byte is the number of genuine messages before; signalling is a sequence of chunks, each with a length of two
/// bytes.
package enum PairingFuzz {
    private static let connection = ConnectionID(1)
    private static let fingerprint = [UInt8](repeating: 1, count: 32)

    /// Runs a pairing with any bytes. Traps if a header does not survive a round trip, if junk leads to a pairing, or
    /// if a pairing never ends.
    package static func run(_ bytes: [UInt8]) {
        guard bytes.count >= 2 else { return }
        let rest = Array(bytes.dropFirst(2))
        switch bytes[0] % 3 {
        case 0: header(rest)
        case 1: viewerSends(rest, after: Int(bytes[1]) % 3)
        default: hostSends(rest, after: Int(bytes[1]) % 3)
        }
    }

    private static func header(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let header = PairingHeader(text) {
            precondition(PairingHeader(header.value) == header, "a header changed on its way")
        }
        if let grant = PairingGrant(text) {
            precondition(PairingGrant(grant.value) == grant, "a grant changed on its way")
        }
        let name = DeviceName.clean(text)
        precondition(DeviceName.clean(name) == name && name.utf8.count <= DeviceName.longest, "a name is not clean")
    }

    /// Passes a viewer's messages to the host. As the host's user has not confirmed, no message may lead to a pairing.
    private static func viewerSends(_ bytes: [UInt8], after steps: Int) {
        let (host, viewer) = makeEnds()
        host.handle(.connected(connection, address: "viewer"), now: .zero)
        viewer.handle(.connected, now: .zero)
        exchange(host, viewer, messages: steps)
        for piece in pieces(bytes) { host.handle(.received(connection, piece), now: .zero) }
        while let output = host.poll() {
            if case .event(.paired) = output { preconditionFailure("junk was paired") }
        }
        host.tick(now: .zero + .seconds(61))
        precondition(!host.knows(connection), "a pairing has no end")
    }

    /// Passes a host's messages to the viewer. As the viewer's user has not confirmed, no message may lead to a
    /// pairing.
    private static func hostSends(_ bytes: [UInt8], after steps: Int) {
        let (host, viewer) = makeEnds()
        host.handle(.connected(connection, address: "viewer"), now: .zero)
        viewer.handle(.connected, now: .zero)
        exchange(host, viewer, messages: steps)
        for piece in pieces(bytes) { viewer.handle(.received(piece), now: .zero) }
        viewer.tick(now: .zero + .seconds(66))
        var hasEnded = false
        while let output = viewer.poll() {
            if case .event(.paired) = output { preconditionFailure("junk was believed") }
            if case .event(.ended) = output { hasEnded = true }
        }
        precondition(hasEnded, "a pairing has no end")
    }

    private static func makeEnds() -> (SourceHost, PairingSession) {
        let host = SourceHost(
            .init(
                format: VideoFormat(codec: .h264, size: PixelSize(width: 64, height: 64)), allowsControl: true,
                pairing: .init(asks: true)),
            fingerprint: fingerprint, crypto: ToyCrypto(), random: SeededGenerator(seed: 1), now: .zero)
        let viewer = PairingSession(
            .compare, address: "host", name: "viewer", certificateFingerprint: fingerprint, crypto: ToyCrypto(),
            random: SeededGenerator(seed: 2), now: .zero)
        return (host, viewer)
    }

    /// Delivers up to `messages` of the viewer's messages, and the host's answers.
    private static func exchange(_ host: SourceHost, _ viewer: PairingSession, messages: Int) {
        for _ in 0..<messages {
            guard case .send(let bytes)? = viewer.poll() else { return }
            host.handle(.received(connection, bytes), now: .zero)
            while let output = host.poll() {
                if case .send(_, let answer) = output { viewer.handle(.received(answer), now: .zero) }
            }
        }
    }

    /// Splits bytes into chunks, each preceded by its length in two bytes.
    private static func pieces(_ bytes: [UInt8]) -> [[UInt8]] {
        var pieces: [[UInt8]] = []
        var start = 0
        while start + 1 < bytes.count {
            let end = min(bytes.count, start + 2 + (Int(bytes[start]) << 8 | Int(bytes[start + 1])))
            pieces.append(Array(bytes[start + 2..<end]))
            start = end
        }
        return pieces
    }
}
