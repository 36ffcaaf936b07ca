import HelioCore

/// Derives the rate from reported loss alone, for peers that send no other feedback: above 10 % loss the rate falls by
/// half the loss, below 2 % it grows by 8 % a second (draft-ietf-rmcat-gcc-02 section 6).
struct ReportedLoss: Sendable {
    private var last: Instant?

    mutating func rate(after loss: Double, from rate: Bitrate, most: Bitrate, now: Instant) -> Bitrate {
        let elapsed = min(2, last.map { (now - $0).inSeconds } ?? 1)
        last = now
        var bits = Double(rate.bitsPerSecond)
        if loss > 0.1 {
            bits *= 1 - loss / 2
        } else if loss < 0.02 {
            bits *= 1 + 0.08 * elapsed
        }
        return Bitrate(bitsPerSecond: Int(bits)).believed(upTo: most)
    }
}
