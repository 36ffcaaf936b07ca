/// The reason why an access unit was not sent by RTMP.
package enum RTMPDrop: String, CaseIterable, Sendable {
    /// The server takes none, not yet or not any more.
    case notConnected = "rtmp-not-connected"
    /// A picture that needs one before it which was not sent.
    case awaitingKeyframe = "rtmp-awaiting-keyframe"
    /// Sound from before the first picture.
    case beforeFirstPicture = "rtmp-before-first-picture"
    /// A picture of a group of pictures that waited longer than the queue allows.
    case stalePicture = "rtmp-stale-picture"
    /// Sound that waited longer.
    case staleSound = "rtmp-stale-sound"
    /// It waited while more bytes came than are kept.
    case overfull = "rtmp-overfull"
    /// More bytes in one unit than are kept.
    case tooLarge = "rtmp-too-large"
    /// It has no picture in it, no parameter sets went before it, or the stream has no such medium.
    case unusable = "rtmp-unusable"
    /// It waited when the connection broke.
    case lostConnection = "rtmp-lost-connection"
    /// It came after the end, or waited when the time to end was over.
    case ended = "rtmp-ended"
}
