/// The reason why a unit of a broadcast was not sent.
package enum BroadcastDrop: String, CaseIterable, Sendable {
    /// There was no connection.
    case notConnected = "broadcast-not-connected"
    /// A picture that refers to a picture that was not sent.
    case awaitingKeyframe = "broadcast-awaiting-keyframe"
    /// Sound from before the first picture.
    case beforeStart = "broadcast-before-start"
    /// A picture of a group of pictures that waited longer than the queue allows.
    case stalePicture = "broadcast-stale-picture"
    /// Sound that waited longer than the queue allows.
    case staleSound = "broadcast-stale-sound"
    /// A queued picture that was dropped because the queue held too many bytes.
    case overfullPicture = "broadcast-overfull-picture"
    /// Queued sound that was dropped because the queue held too many bytes.
    case overfullSound = "broadcast-overfull-sound"
    /// A unit that is larger than the whole queue.
    case tooLarge = "broadcast-too-large"
    /// A unit that was queued when the connection broke.
    case lostConnection = "broadcast-lost-connection"
    /// A unit that came after the end, or was still queued when the time for the end was over.
    case ended = "broadcast-ended"
    /// A unit that the transport's format can't carry.
    case unsuitable = "broadcast-unsuitable"
    /// A slice of a frame that lacks its beginning or its end.
    case brokenFrame = "broadcast-broken-frame"
}
