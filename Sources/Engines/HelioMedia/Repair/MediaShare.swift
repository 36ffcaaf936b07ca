package import HelioCore

/// The share of sent bytes that is media, and not parity or retransmissions: the part of the path's rate that an
/// encoder may use.
package struct MediaShare: Sendable {
    private static let interval = Duration.milliseconds(100)
    private static let weight = 0.3
    /// The granularity of `share` is 1/64, so that no encoder is reconfigured for small changes.
    private static let steps = 64.0
    private static let least = 0.3

    /// The number of bytes of parity and retransmissions for each byte of media, smoothed.
    private var ratio = 0.0
    private var last: (media: Int, repair: Int, at: Instant)?
    package private(set) var share = 1.0

    package init() {}

    /// Updates the share by the total bytes sent since the stream began: of media, and of parity and retransmissions.
    package mutating func update(media: Int, repair: Int, now: Instant) {
        guard let last else {
            self.last = (media, repair, now)
            return
        }
        guard now - last.at >= Self.interval, media > last.media else { return }
        let ratio = Double(repair - last.repair) / Double(media - last.media)
        self.last = (media, repair, now)
        self.ratio += Self.weight * (min(4, ratio) - self.ratio)
        let exact = 1 / (1 + self.ratio)
        if abs(exact - share) * Self.steps >= 1 || (exact > 0.999 && share < 1) {
            share = max(Self.least, (exact * Self.steps).rounded() / Self.steps)
        }
    }
}
