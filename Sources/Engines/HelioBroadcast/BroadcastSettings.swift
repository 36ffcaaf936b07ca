/// The times and limits of a broadcast to one destination.
package struct BroadcastSettings: Sendable, Hashable {
    /// How long a unit may wait to be sent.
    package var queueAge = BroadcastQueue.defaultAge
    /// The most bytes of queued units, above which the oldest are dropped.
    package var queueBytes = 16 << 20
    /// The longest time between two keyframes: a player can join only at one (requirement row 161's encode has 2 s).
    package var keyframeInterval = BroadcastEncode.defaultKeyframeInterval
    /// The time after which an unanswered keyframe request is repeated.
    package var keyframePatience = Duration.seconds(1)
    /// The time without a unit sent after which the connection counts as stalled.
    package var stallTime = Duration.milliseconds(1500)
    /// The time without a unit sent after which the connection is closed, and opened again.
    package var stallLimit = Duration.seconds(30)
    /// The longest time that an attempt to connect may take; `nil` for no limit, as when the other end connects to us.
    package var connectTimeout: Duration? = .seconds(15)
    /// The wait before the second attempt to connect, which doubles before each further one.
    package var firstWait = Duration.milliseconds(500)
    /// The longest time that the end may take, including the sending of queued units.
    package var endTimeout = Duration.seconds(2)

    package init() {}
}
