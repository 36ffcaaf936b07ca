import HelioCore

/// A detector of silence on the selected pair, which is active if another pair could replace it.
///
/// Every authenticated packet received on the pair counts. After `quietAfter` without one, a series of probes is sent;
/// if none is answered, the pair is silent. The expiry of consent is independent of this.
struct PathWatch {
    /// The time at which a packet was last received on the pair.
    private(set) var heardAt: Instant
    /// The time of the first probe since `heardAt`; `nil` if none was sent.
    private(set) var firstAsked: Instant?
    private var lastAsked: Instant?
    private(set) var questions = 0

    /// The minimum time between two updates of `heardAt`: an update for each of hundreds of media packets would be
    /// costly.
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

    /// The time from which the pair counts as silent; `nil` until `settings.probes` probes have been sent.
    func silentAt(_ settings: ICESettings, roundTrip: Duration?) -> Instant? {
        guard questions >= settings.probes, let firstAsked else { return nil }
        return firstAsked + max(settings.probeWait, (roundTrip ?? .zero) * 2)
    }
}
