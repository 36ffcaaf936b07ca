import HelioCore
import HelioLinks
import HelioOpenSSL
import HelioProtection

/// One end of a bundle in the driver's role, which records what arrives.
struct BundleEnd: ~Copyable {
    static let secret = SecretBytes((0..<32).map { UInt8($0) })

    var bundle: LinkBundle
    /// The bytes to give to the stream as there is room.
    var outbox: [UInt8] = []
    private var given = 0
    private(set) var room = 0
    private(set) var stream: [UInt8] = []
    /// The numbers of received datagrams, with the time of the first arrival.
    private(set) var media: [UInt32: Instant] = [:]
    private(set) var control: [UInt32: Instant] = [:]
    private(set) var events: [(at: Instant, event: LinkEvent)] = []
    private(set) var end: LinkBundleEnd?
    /// The number of outputs after `closed`.
    private(set) var outputsAfterEnd = 0

    init(
        _ role: LinkBundle.Role, settings: LinkBundleSettings = LinkBundleSettings(), seed: UInt64,
        secret: SecretBytes = secret
    ) throws {
        bundle = try LinkBundle(
            role, secret: secret, crypto: OpenSSLCrypto(), settings: settings, seed: seed, now: .zero)
    }

    /// Gives to the stream, and returns the next datagram to transmit.
    mutating func poll(_ now: Instant) -> (bytes: [UInt8], link: LinkID)? {
        while true {
            if room > 0, given < outbox.count, end == nil {
                let next = min(given + room, outbox.count)
                bundle.handle(.stream(Array(outbox[given..<next])), now: now)
                room -= next - given
                given = next
            }
            guard let output = bundle.poll() else { return nil }
            if end != nil, case .transmit = output {} else if end != nil { outputsAfterEnd += 1 }
            switch output {
            case .transmit(let bytes, let link): return (bytes, link)
            case .received(let purpose, let bytes): receive(purpose, bytes, now)
            case .stream(let bytes): stream += bytes
            case .streamRoom(let bytes): room = bytes
            case .event(let event): events.append((now, event))
            case .closed(let why): end = why
            }
        }
    }

    private mutating func receive(_ purpose: DatagramClass, _ bytes: [UInt8], _ now: Instant) {
        guard let number = bytes.span.bytes.uint32(at: 0) else { return }
        switch purpose {
        case .media: if media[number] == nil { media[number] = now }
        case .control: if control[number] == nil { control[number] = now }
        }
    }

    /// A datagram with a number, of a size.
    static func datagram(_ number: UInt32, size: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(bigEndian: number)
        return bytes + [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: max(0, size - 4))
    }

    var isStreamConnected: Bool { events.contains { $0.event == .streamConnected } }
    var hasGivenAll: Bool { given == outbox.count }
    var activeMedia: LinkID? { bundle.statistics.media }
    var activeControl: LinkID? { bundle.statistics.control }
    func state(of link: LinkID) -> LinkState? { bundle.statistics.links[link]?.state }
    func drops(_ reason: LinkDrop) -> Int { bundle.statistics.drops[reason.rawValue] ?? 0 }
}
