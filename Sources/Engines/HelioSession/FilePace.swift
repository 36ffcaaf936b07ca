import HelioCore

/// Controls the rate of file transfer beside video and input: as high as possible without delaying them.
///
/// The rate grows while the round trip of the media's path is near its minimum. If the round trip stays longer, a queue
/// has formed on the path or on one of the machines: the rate shrinks, and nothing is sent until the queue has drained.
/// So video has priority over files on any transport. Variation between single round trips is filtered by using the
/// minimum of the last few (as in RFC 6817 section 3.4.2), and by tolerating a larger excess if they vary more. An
/// excess that persists while files are sent at the minimum rate has another cause, and is tolerated.
struct FilePace {
    /// How the rate grows and shrinks in response to measured round trips.
    private struct Response {
        /// The number of consecutive round trips that have to be too long before the rate shrinks.
        var leastSeen: Int
        /// The growth factor while no rate is known to be too high.
        var start: Double
        var growth: Double
        /// The growth factor near the rate that was too high last time.
        var growthNear: Double
        /// The growth factor above the rate that was too high last time: the path evidently carries more now.
        var growthBeyond: Double
        var shrinkage: Double
    }

    private static let usual = Response(
        leastSeen: 2, start: 1.3, growth: 1.15, growthNear: 1.01, growthBeyond: 1.1, shrinkage: 0.8)
    /// The interval between measurements above which `careful` is used, as queues are then detected late.
    private static let seldom = Duration.milliseconds(300)
    private static let careful = Response(
        leastSeen: 2, start: 1.12, growth: 1.12, growthNear: 1.01, growthBeyond: 1.1, shrinkage: 0.5)
    /// The interval within which measured round trips count as one measurement, with their minimum as its value.
    private static let together = Duration.milliseconds(25)
    /// The terms of the excess over the minimum round trip that counts as jitter: a fixed time, 1/`toleratedPart` of
    /// the minimum round trip, and twice the mean difference between consecutive round trips. Their sum is at most
    /// `mostTolerance` plus 1/`mostToleratedPart` of the minimum round trip.
    private static let tolerance = Duration.microseconds(1500)
    private static let toleratedPart = 32
    private static let mostTolerance = Duration.milliseconds(4)
    private static let mostToleratedPart = 8
    /// The reciprocal of a new difference's weight in the mean, and the maximum of a difference.
    private static let differenceWeight = 16
    private static let mostDifference = Duration.milliseconds(20)
    /// The tolerated excess as a multiple of `foreign`, the excess that file transfer does not cause; and the maximum
    /// of `foreign`.
    private static let foreignPart = 1.5
    private static let mostForeign = Duration.milliseconds(100)
    /// The bounds of the time between two rate changes. The time is about one round trip, so that the effect of the
    /// last change can be measured; a longer round trip, due to a long queue, is not waited for.
    private static let interval = Duration.milliseconds(100)
    private static let longestInterval = Duration.milliseconds(400)
    /// The time after which the minimum round trip is measured again, as the path may have changed.
    private static let memory = Duration.seconds(60)
    /// The initial rate, and the bounds of all rates, in bytes a second.
    private static let first = 128e3
    private static let least = 16e3
    private static let most = 250e6
    /// The ratio of the rate to `ceiling` at which the rate counts as near `ceiling`, and the ratio above which it
    /// counts as beyond `ceiling`.
    private static let near = 0.75
    private static let beyond = 1.1
    /// The longest pause for a queue to drain.
    private static let longestRest = Duration.seconds(2)
    /// The bounds in bytes of a burst and of the minimum grant. Within these bounds, each is the rate times its number
    /// of seconds.
    private static let bursts = 4096.0...32768
    private static let burstSeconds = 0.01
    private static let grants = 1200.0...8192
    private static let grantSeconds = 0.004
    /// The burst before the first measured round trip, in bytes.
    private static let firstBurst = 16384.0

    private(set) var rate = FilePace.first
    private var tokens = FilePace.firstBurst
    private var counted: Instant
    /// The newest round trips since the rate last shrank.
    private var recent: [Duration] = []
    private var newestAt: Instant
    private var shortest: Duration?
    private var shortestSince: Instant
    private var last: Duration?
    /// The mean difference between consecutive round trips.
    private var difference = FilePace.mostTolerance
    /// The excess over the minimum round trip that was measured while files were sent at the minimum rate.
    private var foreign = Duration.zero
    /// The rate that was too high last time.
    private var ceiling: Double?
    /// The time until which nothing is sent, so that the queue drains.
    private var restsUntil: Instant
    private var nextChange: Instant
    /// True if the rate has limited sending since its last change.
    private var isLimit = false

    init(now: Instant) {
        counted = now
        shortestSince = now
        newestAt = now
        restsUntil = now
        nextChange = now
    }

    /// Returns the number of bytes that may be sent now, after refilling the token bucket.
    mutating func bytes(now: Instant) -> Int {
        guard now >= restsUntil else { return 0 }
        let burst = min(max(rate * Self.burstSeconds, Self.bursts.lowerBound), Self.bursts.upperBound)
        tokens = min(max(burst, tokens), tokens + rate * max(0, (now - counted).inSeconds))
        counted = max(counted, now)
        return Int(max(0, tokens))
    }

    /// The minimum grant in bytes, so that not every packet needs a grant of its own.
    var leastGrant: Int { Int(min(max(rate * Self.grantSeconds, Self.grants.lowerBound), Self.grants.upperBound)) }

    mutating func use(_ bytes: Int) { tokens -= Double(bytes) }

    /// Returns the time at which `bytes` bytes may be sent, and records that the rate limits sending. `bytes` has to
    /// exceed the number that may be sent now.
    mutating func deadline(for bytes: Int) -> Instant {
        isLimit = true
        // Timers have a resolution of a millisecond.
        return max(restsUntil, counted + max(.milliseconds(1), .seconds(max(0, Double(bytes) - tokens) / rate)))
    }

    /// Adapts the rate to a newly measured round trip of the media's path.
    mutating func follow(_ roundTrip: Duration, now: Instant) {
        if now - newestAt < Self.together, let newest = recent.last {
            recent[recent.count - 1] = min(newest, roundTrip)
            return
        }
        let response = now - newestAt > Self.seldom ? Self.careful : Self.usual
        newestAt = now
        if recent.count > response.leastSeen { recent.removeFirst(recent.count - response.leastSeen) }
        recent.append(roundTrip)
        if let last {
            let step = min(max(roundTrip - last, last - roundTrip), Self.mostDifference)
            difference = difference + (step - difference) / Self.differenceWeight
        }
        last = roundTrip
        guard now >= nextChange, let lately = recent.min() else { return }
        if now - shortestSince > Self.memory {
            shortest = nil
            shortestSince = now
            foreign = foreign * 0.75
        }
        let least = min(shortest ?? lately, lately)
        shortest = least
        let longer = lately - least
        let allowed = max(tolerated(beyond: least), foreign * Self.foreignPart)
        if longer <= allowed {
            // A single long round trip may be jitter, or the first of several.
            if isLimit, roundTrip - least <= allowed { grow(response) }
        } else {
            guard recent.count >= response.leastSeen else { return }
            if rate == Self.least { foreign = min(max(foreign, longer), Self.mostForeign) }
            ceiling = rate
            rate = max(Self.least, rate * response.shrinkage)
            recent = []
            restsUntil = now + min(longer, Self.longestRest)
            (tokens, counted) = (min(tokens, 0), restsUntil)
        }
        nextChange = now + max(Self.interval, min(roundTrip, Self.longestInterval))
        isLimit = false
    }

    /// Returns the excess over the minimum round trip that counts as jitter.
    private func tolerated(beyond least: Duration) -> Duration {
        min(
            Self.tolerance + least / Self.toleratedPart + difference * 2,
            Self.mostTolerance + least / Self.mostToleratedPart)
    }

    private mutating func grow(_ response: Response) {
        rate = min(Self.most, rate * growth(response))
    }

    private func growth(_ response: Response) -> Double {
        guard let ceiling else { return response.start }
        if rate < ceiling * Self.near { return response.growth }
        return rate <= ceiling * Self.beyond ? response.growthNear : response.growthBeyond
    }
}
