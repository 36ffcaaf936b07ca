/// The bounds and times of an extension's end of the relay.
package struct ExtensionRelaySettings: Sendable, Hashable {
    /// The most bytes of pictures that wait for the app, headers included.
    package var pictureBytes = 1 << 20
    /// The most bytes of sound that wait.
    package var soundBytes = 128 << 10
    /// Pictures that have waited longer than this are not sent: a keyframe of now replaces them.
    package var pictureAge = Duration.milliseconds(500)
    /// The distance of signs of life.
    package var heartbeat = Duration.milliseconds(250)
    /// An app that is silent for longer has vanished: it is found within a second.
    package var silence = Duration.milliseconds(900)
    /// The time within which the app takes what is being sent (row 135).
    package var sendTimeout = Duration.seconds(10)
    /// The first wait before another try; each further one is twice as long, up to `longestRetry`.
    package var firstRetry = Duration.milliseconds(50)
    package var longestRetry = Duration.seconds(1)
    /// The time for what waits, and the farewell, to go out at the end.
    package var farewell = Duration.seconds(1)
    /// The time after which a keyframe that has not come is asked for again.
    package var keyframeRepeat = Duration.seconds(1)

    package init() {}
}
