import HelioCore

/// A watch for silence on the pair in use, used if another pair could replace it.
///
/// Every genuine packet received on the pair counts. After a short time without one the peer is probed, a few times in
/// a row; if no probe is answered, the pair is silent. Consent is independent of this, with times of its own.
struct PathWatch {
    /// When a packet of the peer's was last received on the pair.
    private(set) var heardAt: Instant
    /// When the first probe since then was sent.
    private(set) var firstAsked: Instant?
    private var lastAsked: Instant?
    private(set) var questions = 0

    /// The shortest time between two updates of `heardAt`: media packets arrive by the hundred, and updates for each of
    /// them would be costly.
    private static let grain = Duration.milliseconds(50)

    init(now: Instant) {
        heardAt = now
    }

    mutating func heard(_ now: Instant) {
        guard questions > 0 || now - heardAt >= Self.grain else { return }
        self = PathWatch(now: now)
    }

    mutating func asked(_ now: Instant) {
        if firstAsked == nil { firstAsked = now }
        lastAsked = now
        questions += 1
    }

    func nextQuestion(_ settings: ICESettings) -> Instant {
        guard let lastAsked else { return heardAt + settings.quietAfter }
        return lastAsked + (questions < settings.probes ? settings.probeSpacing : settings.lateProbeSpacing)
    }

    /// The time from which the pair counts as silent; `nil` before it was probed often enough.
    func silentAt(_ settings: ICESettings, roundTrip: Duration?) -> Instant? {
        guard questions >= settings.probes, let firstAsked else { return nil }
        return firstAsked + max(settings.probeWait, (roundTrip ?? .zero) * 2)
    }
}
