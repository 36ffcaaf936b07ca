/// The reason why a unit of a broadcast was not sent.
package enum BroadcastDrop: String, CaseIterable, Sendable {
    /// Nobody is connected.
    case notConnected = "broadcast-not-connected"
    /// A picture that needs one before it which was not sent.
    case awaitingKeyframe = "broadcast-awaiting-keyframe"
    /// Sound from before the first picture.
    case beforeStart = "broadcast-before-start"
    /// A picture of a group of pictures that waited longer than the queue allows.
    case stalePicture = "broadcast-stale-picture"
    /// Sound that waited longer.
    case staleSound = "broadcast-stale-sound"
    /// A picture that waited while more bytes came than are kept.
    case overfullPicture = "broadcast-overfull-picture"
    /// Sound that waited while more bytes came than are kept.
    case overfullSound = "broadcast-overfull-sound"
    /// More bytes in one unit than are kept.
    case tooLarge = "broadcast-too-large"
    /// It waited when the connection broke.
    case lostConnection = "broadcast-lost-connection"
    /// It came after the end, or waited when the time to end was over.
    case ended = "broadcast-ended"
    /// The transport's format can't carry it.
    case unsuitable = "broadcast-unsuitable"
    /// A slice of a frame whose beginning is missing, or of one that never ended.
    case brokenFrame = "broadcast-broken-frame"
}
