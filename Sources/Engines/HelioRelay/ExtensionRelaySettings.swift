/// The limits and times of an extension's end of the relay.
package struct ExtensionRelaySettings: Sendable, Hashable {
    /// The most bytes of pictures queued for the app, including headers.
    package var pictureBytes = 1 << 20
    /// The most bytes of sound queued.
    package var soundBytes = 128 << 10
    /// The age from which queued pictures are not sent: a new keyframe replaces them.
    package var pictureAge = Duration.milliseconds(500)
    /// The interval of heartbeats.
    package var heartbeat = Duration.milliseconds(250)
    /// The time after which a silent app counts as vanished: short enough that this is noticed within a second.
    package var silence = Duration.milliseconds(900)
    /// The time within which the app has to take the bytes being sent (row 135).
    package var sendTimeout = Duration.seconds(10)
    /// The first wait before reconnecting; each further one is twice as long, up to `longestRetry`.
    package var firstRetry = Duration.milliseconds(50)
    package var longestRetry = Duration.seconds(1)
    /// The time for sending the queue and the farewell at the end.
    package var farewell = Duration.seconds(1)
    /// The time after which a requested keyframe that has not come is requested again.
    package var keyframeRepeat = Duration.seconds(1)

    package init() {}
}
