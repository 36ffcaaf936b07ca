import HelioCore

/// Limits the keyframes that one encode gives for losses: to one a second in the long run, whoever requests them. A
/// joining viewer's keyframe does not count.
struct KeyframeBudget {
    private static let most = 2
    private static let time = Duration.seconds(2)

    /// The times of the last such keyframes, oldest first.
    private var given: [Instant] = []

    mutating func note(_ now: Instant) {
        if given.count == Self.most { given.removeFirst() }
        given.append(now)
    }

    /// When another keyframe may be given; `nil`: at once.
    var due: Instant? { given.count == Self.most ? given[0] + Self.time : nil }
}
