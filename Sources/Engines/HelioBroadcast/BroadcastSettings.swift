/// The timeouts and limits of a broadcast to one destination.
package struct BroadcastSettings: Sendable, Hashable {
    /// The maximum time that a unit may wait to be sent.
    package var queueAge = BroadcastQueue.defaultAge
    /// The maximum size of the queued units in bytes, above which the oldest units are dropped.
    package var queueBytes = 16 << 20
    /// The maximum time between two keyframes, as a player can join only at a keyframe (2 s in requirement row 161).
    package var keyframeInterval = BroadcastEncode.defaultKeyframeInterval
    /// The time after which an unanswered keyframe request is repeated.
    package var keyframePatience = Duration.seconds(1)
    /// The time without a sent unit, while units are queued, after which the connection counts as stalled.
    package var stallTime = Duration.milliseconds(1500)
    /// The time without a sent unit, while units are queued, after which the connection is closed and reopened.
    package var stallLimit = Duration.seconds(30)
    /// The timeout of an attempt to connect; `nil` for no limit, for example while waiting for the peer to connect.
    package var connectTimeout: Duration? = .seconds(15)
    /// The wait before the second attempt to connect; it doubles before each further attempt.
    package var firstWait = Duration.milliseconds(500)
    /// The timeout of the end of the broadcast, within which queued units are sent.
    package var endTimeout = Duration.seconds(2)

    package init() {}
}
