import HelioCore
import HelioLinks
import HelioProtection
import HelioSCTP

/// A bundle with three links whose stream is connected to a peer's. The peer then falls silent, and what it would send
/// is the fuzzer's.
struct LinkBundleRun: ~Copyable {
    static let links = [
        LinkID(0): LinkTraits(kind: .direct), LinkID(1): LinkTraits(kind: .rendezvous),
        LinkID(2): LinkTraits(kind: .narrow, width: .megabits(1)),
    ]
    private static let secret = SecretBytes([UInt8](repeating: 5, count: 32))
    private static let mostOutputs = 10_000

    private(set) var bundle: LinkBundle
    private let keys: LinkPeerKeys
    private(set) var now = Instant.zero
    private var known = Set(links.keys)
    private var hasEnded = false
    /// The number of datagrams that the bundle has handed over.
    private(set) var received = 0
    /// The header of the peer's SCTP packets: ports and verification tag.
    private var header: [UInt8] = []

    init(_ role: LinkBundle.Role) {
        keys = LinkPeerKeys(Self.secret, of: role == .viewer ? .host : .viewer)
        bundle = Self.bundle(role)
        var peer = Self.bundle(role == .viewer ? .host : .viewer)
        for id in Self.links.keys.sorted() {
            bundle.handle(.up(id, Self.links[id] ?? LinkTraits(kind: .direct)), now: now)
            peer.handle(.up(id, Self.links[id] ?? LinkTraits(kind: .direct)), now: now)
        }
        for _ in 0..<60 {
            now = now + .milliseconds(10)
            bundle.tick(now: now)
            peer.tick(now: now)
            exchange(&peer)
        }
        precondition(!header.isEmpty && bundle.statistics.media == LinkID(0), "the ends have not met")
    }

    private static func bundle(_ role: LinkBundle.Role) -> LinkBundle {
        let seed: UInt64 = role == .viewer ? 1 : 2
        guard
            let bundle = try? LinkBundle(
                role, secret: secret, crypto: ToyCrypto(), settings: LinkBundleSettings(), seed: seed, now: .zero)
        else { preconditionFailure("a secret has 32 bytes") }
        return bundle
    }

    private mutating func exchange(_ peer: inout LinkBundle) {
        var isBusy = true
        while isBusy {
            isBusy = false
            while let output = bundle.poll() {
                guard case .transmit(let frame, let link) = output else { continue }
                isBusy = true
                peer.handle(.received(frame, on: link), now: now)
            }
            while let output = peer.poll() {
                guard case .transmit(let frame, let link) = output else { continue }
                isBusy = true
                if frame.first == 0xC2, let packet = keys.open(frame) { header = Array(packet.prefix(8)) }
                bundle.handle(.received(frame, on: link), now: now)
            }
        }
    }

    // MARK: Inputs

    mutating func feed(_ input: consuming LinkBundle.Input) {
        switch input {
        case .up(let id, _): known.insert(id)
        case .down(let id): known.remove(id)
        default: break
        }
        bundle.handle(input, now: now)
        drain()
    }

    /// Hands over a frame of the peer, sealed.
    mutating func feed(sealed message: [UInt8], _ type: UInt8, on link: LinkID) {
        feed(.received(keys.seal(message, type, lane: link), on: link))
    }

    /// Hands over an SCTP packet with these chunks, with the association's tag and a correct checksum.
    mutating func feed(chunks: [UInt8], on link: LinkID) {
        var packet = header
        packet.append(bigEndian: UInt32(0))
        packet += chunks
        packet.setPacketChecksum()
        feed(sealed: packet, 0xC2, on: link)
    }

    mutating func pass(_ time: Duration) {
        now = now + time
        for _ in 0..<8 {
            bundle.tick(now: now)
            drain()
            guard let deadline = bundle.deadline, deadline.at <= now else { return }
        }
        preconditionFailure("a deadline that ticks do not meet")
    }

    private mutating func drain() {
        var count = 0
        while let output = bundle.poll() {
            count += 1
            precondition(count < Self.mostOutputs, "no end of outputs")
            switch output {
            case .transmit(let frame, let link):
                precondition(known.contains(link), "a datagram on a link that is not there")
                precondition(frame.count <= LinkBundleSettings().maximumDatagram + 1, "a datagram too long")
                precondition((0xC0...0xC3).contains(frame.first ?? 0), "no frame")
            case .received:
                received += 1
                precondition(!hasEnded, "a datagram after the end")
            case .stream, .streamRoom, .event: precondition(!hasEnded, "an output after the end")
            case .closed:
                precondition(!hasEnded, "a second end")
                hasEnded = true
            }
        }
    }
}

/// The keys of one end of a bundle, derived as `LinkKeys` does, for frames that a peer would not send.
private final class LinkPeerKeys {
    private let key: SealedKey
    private let sealer: any AEADSealer
    private let opener: any AEADOpener
    /// Far above the counters of the peer before it fell silent.
    private var counter: UInt64 = 1 << 30

    init(_ secret: SecretBytes, of role: LinkBundle.Role) {
        let crypto = ToyCrypto()
        let direction = role == .viewer ? "viewer to host" : "host to viewer"
        let salt = SecretBytes(Array("heliograph links 1".utf8))
        guard let root = try? crypto.mac(.sha256, key: salt).code(over: secret.bytes.span.bytes, trailer: nil).bytes,
            let block = try? crypto.mac(.sha256, key: SecretBytes(root)).code(
                over: (Array("heliograph links 1\0\(direction)\0".utf8) + [1]).span.bytes, trailer: nil
            ).bytes,
            let key = SealedKey(keyAndSalt: Array(block.prefix(28))), let sealer = try? crypto.sealer(key: key.key),
            let opener = try? crypto.opener(key: key.key)
        else { preconditionFailure("no keys") }
        self.key = key
        self.sealer = sealer
        self.opener = opener
    }

    func seal(_ message: [UInt8], _ type: UInt8, lane: LinkID) -> [UInt8] {
        counter += 1
        let sequence = UInt64(lane.value) << 56 | counter
        var frame = [type]
        frame.append(bigEndian: sequence)
        frame += message
        do {
            try sealer.seal(&frame, from: 9, trailer: nil, nonce: key.nonce(sequence: sequence))
        } catch { preconditionFailure("\(error)") }
        return frame
    }

    func open(_ frame: [UInt8]) -> [UInt8]? {
        guard let sequence = frame.span.bytes.uint64(at: 1) else { return nil }
        var packet = frame
        guard opener.open(&packet, from: 9, trailer: nil, nonce: key.nonce(sequence: sequence)) else { return nil }
        return Array(packet.dropFirst(9))
    }
}
