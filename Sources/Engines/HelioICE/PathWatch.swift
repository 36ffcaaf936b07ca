import HelioCore

/// Watches that the pair in use is still heard, if another could take its place.
///
/// Anything genuine that is received on it will do. When nothing is for a moment the peer is probed, a few times in a
/// row; when none of that is answered, the pair is silent. This says nothing about consent, which has its own time.
struct PathWatch {
    /// When something of the peer's was last received on the pair.
    private(set) var heardAt: Instant
    /// When the first probe since then was sent.
    private(set) var firstAsked: Instant?
    private var lastAsked: Instant?
    private(set) var questions = 0

    /// The least time between two notes of being heard. Media come by the hundred: to note each of them costs more than
    /// it tells.
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

    /// From when on it counts as silent; `nil` before it was probed often enough.
    func silentAt(_ settings: ICESettings, roundTrip: Duration?) -> Instant? {
        guard questions >= settings.probes, let firstAsked else { return nil }
        return firstAsked + max(settings.probeWait, (roundTrip ?? .zero) * 2)
    }
}
