/// The times by which a broadcast to one destination goes.
package struct BroadcastSettings: Sendable, Hashable {
    /// How long a unit may wait to be sent.
    package var queueAge = BroadcastQueue.defaultAge
    /// The most bytes that wait.
    package var queueBytes = 16 << 20
    /// The longest time from a keyframe to the next: no sooner can somebody join in (row 161's encode has 2 s).
    package var keyframeInterval = BroadcastEncode.defaultKeyframeInterval
    /// How long a keyframe may stay away until it is asked for again.
    package var keyframePatience = Duration.seconds(1)
    /// How long nothing can be sent until that is called a stall.
    package var stallTime = Duration.milliseconds(1500)
    /// How long a stall may last until the connection is given up, and made again.
    package var stallLimit = Duration.seconds(30)
    /// How long a try to connect may take; `nil` for ever, as where somebody connects to us.
    package var connectTimeout: Duration? = .seconds(15)
    /// The wait before the second try to connect; it is twice as long before each that follows.
    package var firstWait = BroadcastRetry.usualFirst
    /// How long the end may take: what waits is sent in it.
    package var endTimeout = Duration.seconds(2)

    package init() {}
}
