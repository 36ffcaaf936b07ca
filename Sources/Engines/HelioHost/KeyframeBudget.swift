import HelioCore

/// The keyframes that one encode may give to make good for losses: one a second in the long run, whoever asks and
/// whatever for. A viewer that joins is not counted.
struct KeyframeBudget {
    private static let most = 2
    private static let time = Duration.seconds(2)

    /// The times of the last ones, oldest first.
    private var given: [Instant] = []

    mutating func note(_ now: Instant) {
        if given.count == Self.most { given.removeFirst() }
        given.append(now)
    }

    /// The time from which on another may be given; `nil`: at once.
    var due: Instant? { given.count == Self.most ? given[0] + Self.time : nil }
}
