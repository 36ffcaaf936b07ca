/// The limits and times of the extension's end of the relay.
package struct ExtensionRelaySettings: Sendable, Hashable {
    /// The maximum number of queued picture bytes, with message headers.
    package var pictureBytes = 1 << 20
    /// The maximum number of queued sound bytes, with message headers.
    package var soundBytes = 128 << 10
    /// The maximum time in the queue for pictures. Older pictures are dropped, and a keyframe is requested.
    package var pictureAge = Duration.milliseconds(500)
    /// The interval of heartbeats.
    package var heartbeat = Duration.milliseconds(250)
    /// The time without a message after which the connection counts as lost; below 1 s, so that the loss is noticed
    /// soon.
    package var silence = Duration.milliseconds(900)
    /// The time limit for sending one chunk (requirement row 135).
    package var sendTimeout = Duration.seconds(10)
    /// The first wait before a reconnection. It doubles with each attempt, up to `longestRetry`.
    package var firstRetry = Duration.milliseconds(50)
    package var longestRetry = Duration.seconds(1)
    /// The time limit for sending the queue and the end message.
    package var farewell = Duration.seconds(1)
    /// The time after which an unanswered keyframe request is repeated.
    package var keyframeRepeat = Duration.seconds(1)

    package init() {}
}
