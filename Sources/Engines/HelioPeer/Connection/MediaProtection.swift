import HelioCongestion
import HelioCore
import HelioProtection

/// SRTP both ways, and what is kept, protected, for peers that take a lost packet only as it was.
final class MediaProtection {
    /// By how many bytes any profile makes a packet longer, with room to spare for the library.
    static let mostOverhead = 32

    /// Streams at a time, each way; those of tracks that have ended make room.
    static let mostStreams = 64

    private struct Kept {
        var history = SendHistory()
        var usedAt = Instant.zero
    }

    var sender: SRTPSender
    var receiver: SRTPReceiver
    private var histories: [SSRC: Kept] = [:]
    /// Of streams that made room.
    private var pastDrops: [String: Int] = [:]

    init(_ keys: SRTPKeyPair, crypto: any CryptoProvider) throws(CryptoError) {
        sender = try SRTPSender(key: keys.local, crypto: crypto, streamLimit: Self.mostStreams)
        receiver = try SRTPReceiver(key: keys.remote, crypto: crypto, streamLimit: Self.mostStreams)
    }

    func keep(_ packet: [UInt8], _ ssrc: SSRC, _ sequence: ExtendedSequence, now: Instant) {
        if histories[ssrc] == nil, histories.count >= Self.mostStreams { forgetStalest() }
        histories[ssrc, default: Kept()].history.insert(packet, sequence: sequence, now: now)
        histories[ssrc]?.usedAt = now
    }

    private func forgetStalest() {
        guard
            let stalest = histories.min(by: { ($0.value.usedAt, $0.key.rawValue) < ($1.value.usedAt, $1.key.rawValue) })
        else { return }
        for (name, count) in stalest.value.history.drops.named { pastDrops["resend-\(name)", default: 0] += count }
        histories[stalest.key] = nil
    }

    func kept(_ ssrc: SSRC, _ sequence: UInt16, now: Instant) -> [UInt8]? {
        histories[ssrc]?.history.resend(sequence, now: now)?.packet
    }

    /// Everything that was thrown away, by name.
    var drops: [String: Int] {
        var all = pastDrops
        for (name, count) in receiver.drops.named { all["srtp-\(name)"] = count }
        for kept in histories.values {
            for (name, count) in kept.history.drops.named { all["resend-\(name)", default: 0] += count }
        }
        return all
    }
}
