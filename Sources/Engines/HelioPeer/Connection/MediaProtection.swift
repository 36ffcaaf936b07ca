import HelioCongestion
import HelioCore
import HelioProtection

/// SRTP both ways, and what is kept, protected, for peers that take a lost packet only as it was.
final class MediaProtection {
    /// By how many bytes any profile makes a packet longer, with room to spare for the library.
    static let mostOverhead = 32

    var sender: SRTPSender
    var receiver: SRTPReceiver
    private var histories: [SSRC: SendHistory] = [:]

    init(_ keys: SRTPKeyPair, crypto: any CryptoProvider) throws(CryptoError) {
        sender = try SRTPSender(key: keys.local, crypto: crypto, streamLimit: 64)
        receiver = try SRTPReceiver(key: keys.remote, crypto: crypto, streamLimit: 64)
    }

    func keep(_ packet: [UInt8], _ ssrc: SSRC, _ sequence: ExtendedSequence, now: Instant) {
        histories[ssrc, default: SendHistory()].insert(packet, sequence: sequence, now: now)
    }

    func kept(_ ssrc: SSRC, _ sequence: UInt16, now: Instant) -> [UInt8]? {
        histories[ssrc]?.resend(sequence, now: now)?.packet
    }

    /// Everything that was thrown away, by name.
    var drops: [String: Int] {
        var all: [String: Int] = [:]
        for (name, count) in receiver.drops.named { all["srtp-\(name)"] = count }
        for history in histories.values {
            for (name, count) in history.drops.named { all["resend-\(name)", default: 0] += count }
        }
        return all
    }
}
