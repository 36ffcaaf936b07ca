/// The reason why a unit of a broadcast was not sent.
package enum BroadcastDrop: String, CaseIterable, Sendable {
    /// A unit for which there was no connection.
    case notConnected = "broadcast-not-connected"
    /// A picture that refers to a picture that was not sent.
    case awaitingKeyframe = "broadcast-awaiting-keyframe"
    /// Sound that was captured before the connection's first picture.
    case beforeStart = "broadcast-before-start"
    /// A picture of a group of pictures that was queued longer than allowed.
    case stalePicture = "broadcast-stale-picture"
    /// Sound that was queued longer than allowed.
    case staleSound = "broadcast-stale-sound"
    /// A queued picture that was dropped because the queue held too many bytes.
    case overfullPicture = "broadcast-overfull-picture"
    /// Queued sound that was dropped because the queue held too many bytes.
    case overfullSound = "broadcast-overfull-sound"
    /// A unit that is larger than the queue's limit in bytes.
    case tooLarge = "broadcast-too-large"
    /// A unit that was queued when the connection broke.
    case lostConnection = "broadcast-lost-connection"
    /// A unit that was passed in after the end, or was still queued when the end timed out.
    case ended = "broadcast-ended"
    /// A unit that the transport's format can't carry.
    case unsuitable = "broadcast-unsuitable"
    /// A picture of which a slice was missing.
    case brokenFrame = "broadcast-broken-frame"
}
