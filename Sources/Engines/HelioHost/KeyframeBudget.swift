import HelioCore

/// Limits the keyframes that one encoding emits after losses, for all viewers together, to an average of one per
/// second. Keyframes for joining viewers don't count.
struct KeyframeBudget {
    private static let most = 2
    private static let time = Duration.seconds(2)

    /// The times of the last keyframes after losses, oldest first.
    private var given: [Instant] = []

    mutating func note(_ now: Instant) {
        if given.count == Self.most { given.removeFirst() }
        given.append(now)
    }

    /// The time from which another keyframe may be emitted; `nil`: at once.
    var due: Instant? { given.count == Self.most ? given[0] + Self.time : nil }
}
