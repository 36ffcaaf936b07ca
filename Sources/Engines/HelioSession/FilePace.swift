import HelioCore

/// How many bytes of files a second may go beside pictures and input: as many as make nothing wait.
///
/// It grows while the round trip of the media's path is near the least there has been, and shrinks once it stays longer: then
/// something queues on the way, or on one of the machines, and nothing goes until that has drained. Pictures come first by
/// that, whatever transport carries files. What varies from one round trip to the next is left out by looking at the least
/// of the last few (as RFC 6817 section 3.4.2 does) and by tolerating more where they differ more from one to the next, and
/// what stays while next to nothing goes is not the files' doing.
struct FilePace {
    /// How it answers to what is measured.
    private struct Response {
        /// The fewest round trips by which it shrinks: all of them were longer.
        var leastSeen: Int
        /// While no rate is known that was too much.
        var start: Double
        var growth: Double
        /// Near the rate that was too much last time.
        var growthNear: Double
        /// Beyond that rate: it was no limit.
        var growthBeyond: Double
        var shrinkage: Double
    }

    private static let usual = Response(
        leastSeen: 2, start: 1.3, growth: 1.15, growthNear: 1.01, growthBeyond: 1.1, shrinkage: 0.8)
    /// Where they are measured less often than so: what is too much is noticed late.
    private static let seldom = Duration.milliseconds(300)
    private static let careful = Response(
        leastSeen: 2, start: 1.12, growth: 1.12, growthNear: 1.01, growthBeyond: 1.1, shrinkage: 0.5)
    /// Those that come sooner after the last than so count as one: what is least of them.
    private static let together = Duration.milliseconds(25)
    /// The round trip beyond the least one that is taken for chance: a fixed part, one of so many of the least one, and
    /// twice what they differ by from one to the next. The fixed part and the part of the least one have a bound.
    private static let tolerance = Duration.microseconds(1500)
    private static let toleratedPart = 32
    private static let mostTolerance = Duration.milliseconds(4)
    private static let mostToleratedPart = 8
    /// A difference counts for so much of what they differ by, and up to the limit.
    private static let differenceWeight = 16
    private static let mostDifference = Duration.milliseconds(20)
    /// What is longer while next to nothing goes is tolerated by so much more, up to the limit.
    private static let foreignPart = 1.5
    private static let mostForeign = Duration.milliseconds(100)
    /// The least and the most time from one change to the next: a round trip has to show what the last one did, but a queue
    /// that makes it long is not waited for.
    private static let interval = Duration.milliseconds(100)
    private static let longestInterval = Duration.milliseconds(400)
    /// After so long the least round trip is looked for anew: the path may be another.
    private static let memory = Duration.seconds(60)
    /// Bytes a second.
    private static let first = 128e3
    private static let least = 16e3
    private static let most = 250e6
    /// From which part on a rate is near the one that was too much last time, and from which on beyond it.
    private static let near = 0.75
    private static let beyond = 1.1
    /// The longest that a queue may take to drain.
    private static let longestRest = Duration.seconds(2)
    /// The bounds of what may go at once, and of what is worth a grant; between them, what the rate has in so many seconds.
    private static let bursts = 4096.0...32768
    private static let burstSeconds = 0.01
    private static let grants = 1200.0...8192
    private static let grantSeconds = 0.004
    /// What may go at once before anything was measured, in bytes.
    private static let firstBurst = 16384.0

    private(set) var rate = FilePace.first
    private var tokens = FilePace.firstBurst
    private var counted: Instant
    /// The newest round trips since the rate shrank.
    private var recent: [Duration] = []
    private var newestAt: Instant
    private var shortest: Duration?
    private var shortestSince: Instant
    private var last: Duration?
    /// What round trips differ by from one to the next.
    private var difference = FilePace.mostTolerance
    /// By how much the round trip was longer than the least one while next to nothing went.
    private var foreign = Duration.zero
    /// The rate that was too much last time.
    private var ceiling: Double?
    /// Nothing goes until then: what is queued drains.
    private var restsUntil: Instant
    private var nextChange: Instant
    /// True once the rate has held something back since its last change.
    private var isLimit = false

    init(now: Instant) {
        counted = now
        shortestSince = now
        newestAt = now
        restsUntil = now
        nextChange = now
    }

    /// The bytes that may go now.
    mutating func bytes(now: Instant) -> Int {
        guard now >= restsUntil else { return 0 }
        let burst = min(max(rate * Self.burstSeconds, Self.bursts.lowerBound), Self.bursts.upperBound)
        tokens = min(max(burst, tokens), tokens + rate * max(0, (now - counted).inSeconds))
        counted = max(counted, now)
        return Int(max(0, tokens))
    }

    /// The least bytes that are worth a grant: one for each packet would be many.
    var leastGrant: Int { Int(min(max(rate * Self.grantSeconds, Self.grants.lowerBound), Self.grants.upperBound)) }

    mutating func use(_ bytes: Int) { tokens -= Double(bytes) }

    /// When so many bytes may go, more than may go now.
    mutating func deadline(for bytes: Int) -> Instant {
        isLimit = true
        // A millisecond is as fine as timers are.
        return max(restsUntil, counted + max(.milliseconds(1), .seconds(max(0, Double(bytes) - tokens) / rate)))
    }

    /// Follows the round trip of the media's path: called with each measurement of it.
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
            // One that is longer may be chance, or the first of more.
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

    /// What a round trip may be longer by than the least one, by chance.
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
