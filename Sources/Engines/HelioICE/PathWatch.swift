import HelioCore

/// Whether the pair in use is still heard, where another could take its place.
///
/// Whatever genuine comes by it will do. Where nothing does for a moment the peer is asked, a few times in a row; when
/// none of that is answered, the pair is silent. It says nothing about consent, which has its own time.
struct PathWatch {
    /// When something of the peer's came by the pair last.
    private(set) var heardAt: Instant
    /// Since then.
    private(set) var firstAsked: Instant?
    private var lastAsked: Instant?
    private(set) var questions = 0

    /// Media come by the hundred: to note each of them costs more than it tells.
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

    /// From when on it counts as silent; `nil` before it was asked often enough.
    func silentAt(_ settings: ICESettings, roundTrip: Duration?) -> Instant? {
        guard questions >= settings.probes, let firstAsked else { return nil }
        return firstAsked + max(settings.probeWait, (roundTrip ?? .zero) * 2)
    }
}
