import HelioCore

/// How many bytes of files a second may go beside pictures and input: as many as make nothing wait.
///
/// It grows while the round trip of the media's path is the least there has been, and shrinks as soon as that is longer: then
/// something queues on the way, or on one of the machines. Pictures come first by that, whatever transport carries files.
struct FilePace {
    /// The round trip beyond the least one that is taken for chance: a fixed part, and one of so many of the least one.
    private static let tolerance = Duration.milliseconds(2)
    private static let toleratedPart = 8
    /// The least and the most time from one change to the next: a round trip has to show what the last one did, but a queue
    /// that makes it long is not waited for.
    private static let interval = Duration.milliseconds(100)
    private static let longestInterval = Duration.milliseconds(400)
    /// After so long the least round trip is looked for anew: the path may be another.
    private static let memory = Duration.seconds(60)
    /// Bytes a second.
    private static let first = 250e3
    private static let least = 16e3
    private static let most = 250e6
    private static let growth = 1.25
    private static let shrinkage = 0.6
    /// The bounds of what may go at once, and of what is worth a grant; between them, what the rate has in so many seconds.
    private static let bursts = 4096.0...32768
    private static let burstSeconds = 0.03
    private static let grants = 2048.0...8192
    private static let grantSeconds = 0.01

    private(set) var rate = FilePace.first
    private var tokens = FilePace.bursts.upperBound
    private var counted: Instant
    private var shortest: Duration?
    private var shortestSince: Instant
    private var nextChange: Instant
    /// True once the rate has held something back since its last change.
    private var isLimit = false

    init(now: Instant) {
        counted = now
        shortestSince = now
        nextChange = now
    }

    /// The bytes that may go now.
    mutating func bytes(now: Instant) -> Int {
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
        return counted + max(.milliseconds(1), .seconds(max(0, Double(bytes) - tokens) / rate))
    }

    /// True where the last change has had time to show what it did.
    func isDue(now: Instant) -> Bool { now >= nextChange }

    /// Follows the round trip of the media's path, as it was measured last; `nil`: it is not known.
    mutating func follow(_ roundTrip: Duration?, now: Instant) {
        guard isDue(now: now), let roundTrip else { return }
        nextChange = now + max(Self.interval, min(roundTrip, Self.longestInterval))
        if now - shortestSince > Self.memory {
            shortest = nil
            shortestSince = now
        }
        let least = min(shortest ?? roundTrip, roundTrip)
        shortest = least
        if roundTrip - least > Self.tolerance + least / Self.toleratedPart {
            rate = max(Self.least, rate * Self.shrinkage)
        } else if isLimit {
            rate = min(Self.most, rate * Self.growth)
        }
        isLimit = false
    }
}
