import HelioCore
import HelioMedia
import HelioProtection

/// SRTP in both directions. Stores encrypted packets for peers without RTX, for which a lost packet is retransmitted
/// unchanged.
final class MediaProtection: DropCounting {
    /// The maximum number of bytes by which encryption lengthens a packet, with a margin for the cryptography library.
    static let mostOverhead = 32

    /// The maximum number of SSRCs in each direction. For a further SSRC, the least recently used one is evicted.
    static let mostStreams = 64

    private struct Kept {
        var packets = ProtectedPackets()
        var usedAt = Instant.zero
    }

    var sender: SRTPSender
    var receiver: SRTPReceiver
    private var streams: [SSRC: Kept] = [:]

    init(_ keys: SRTPKeyPair, crypto: any CryptoProvider) throws(CryptoError) {
        sender = try SRTPSender(key: keys.local, crypto: crypto, streamLimit: Self.mostStreams)
        receiver = try SRTPReceiver(key: keys.remote, crypto: crypto, streamLimit: Self.mostStreams)
    }

    func keep(_ packet: [UInt8], _ ssrc: SSRC, _ sequence: ExtendedSequence, now: Instant) {
        if streams[ssrc] == nil, streams.count >= Self.mostStreams { forgetStalest() }
        streams[ssrc, default: Kept()].packets.insert(packet, sequence: sequence, now: now)
        streams[ssrc]?.usedAt = now
    }

    private func forgetStalest() {
        let stalest = streams.min { ($0.value.usedAt, $0.key.rawValue) < ($1.value.usedAt, $1.key.rawValue) }
        if let stalest { streams[stalest.key] = nil }
    }

    func kept(_ ssrc: SSRC, _ sequence: ExtendedSequence) -> [UInt8]? { streams[ssrc]?.packets[sequence] }

    /// The number of dropped packets by reason.
    var allDrops: [String: Int] { receiver.drops.named("srtp-") }
}
