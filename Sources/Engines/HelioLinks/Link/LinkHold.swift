import HelioCore

/// The time for which a link that has failed isn't preferred, so that the bundle doesn't go to and fro with it. The
/// time doubles with each failure, and starts from the beginning after a steady time.
struct LinkHold: Sendable {
    /// The time to hold the link once it answers again; zero for a link that never failed.
    private var afterSilence = Duration.zero
    private var afterLoss = Duration.zero
    private var leftAt: Instant?
    private(set) var until: Instant?

    func isActive(_ now: Instant) -> Bool { until.map { $0 > now } ?? false }

    /// Begins the hold of a link that answers again.
    mutating func begin(_ now: Instant) {
        until = max(until ?? now, now + afterSilence)
    }

    mutating func noteSilence(wasUpFor time: Duration?, _ settings: LinkBundleSettings) {
        guard let time else { return }
        let range = settings.returnHold
        afterSilence =
            time >= settings.steady
            ? range.lowerBound : min(max(afterSilence * 2, range.lowerBound), range.upperBound)
        // A hold for loss does not outlive the link: what comes back may be another path.
        until = nil
        afterLoss = .zero
    }

    /// Begins the hold of a link that was left for its loss.
    mutating func noteLoss(_ settings: LinkBundleSettings, now: Instant) {
        let range = settings.lossHold
        let isSteady = leftAt.map { now - $0 >= range.upperBound + settings.steady } ?? true
        afterLoss = isSteady ? range.lowerBound : min(max(afterLoss * 2, range.lowerBound), range.upperBound)
        leftAt = now
        until = max(until ?? now, now + afterLoss)
    }
}
