import HelioCore

/// The share of lost datagrams in one direction of a link, of the last seconds.
///
/// It compares counts of sent and received datagrams at two moments. Older counts fade.
struct LossMeter: Sendable {
    /// The time in which counts fade to about half.
    private static let fading = Duration.seconds(3)
    /// The number of datagrams below which the share is not known, so 0.
    private static let least = 12.0

    /// The number of lost datagrams in total.
    private(set) var total = 0
    private var sent = 0.0
    private var lost = 0.0
    private var countedAt: Instant?
    private var reference: (sent: UInt32, received: UInt32)?

    /// The share of lost datagrams: 0 to 1.
    var share: Double { sent < Self.least ? 0 : min(max(lost / sent, 0), 1) }

    /// Compares two counts with those of the previous call.
    ///
    /// - Parameters:
    ///   - sentCount: the number of sent datagrams, modulo 2^32.
    ///   - receivedCount: the number that the other end had received when it got the last of them.
    mutating func note(sent sentCount: UInt32, received receivedCount: UInt32, now: Instant) {
        guard let reference else {
            self.reference = (sentCount, receivedCount)
            return
        }
        let moved = Int(Int32(bitPattern: sentCount &- reference.sent))
        let arrived = Int(Int32(bitPattern: receivedCount &- reference.received))
        // A report that was overtaken by a newer one.
        if moved <= 0, moved > -256 { return }
        self.reference = (sentCount, receivedCount)
        // One end has counted from 0 again.
        guard moved > 0, moved < 1 << 20, arrived >= 0 else { return }
        fade(now)
        sent += Double(moved)
        // Datagrams that were overtaken are made up for by the next call.
        lost += Double(moved - arrived)
        total = max(0, total + moved - arrived)
    }

    /// Forgets the share: the link has come up again.
    mutating func restart() {
        sent = 0
        lost = 0
        reference = nil
    }

    /// Skips what is lost in an interruption, which is no property of the link while it works.
    mutating func interrupt() { reference = nil }

    private mutating func fade(_ now: Instant) {
        if let countedAt, now > countedAt {
            let factor = Self.fading.inSeconds / (Self.fading.inSeconds + (now - countedAt).inSeconds)
            sent *= factor
            lost = max(lost * factor, -Self.least)
        }
        countedAt = now
    }
}
