/// The reason why a group of messages was not sent by SRT.
package enum SRTDrop: String, CaseIterable, Sendable {
    /// Nobody is connected.
    case notConnected = "srt-not-connected"
    /// A picture that needs one before it which was not sent.
    case awaitingKeyframe = "srt-awaiting-keyframe"
    /// A picture of a group of pictures that waited longer than the queue allows.
    case stalePicture = "srt-stale-picture"
    /// Sound that waited longer.
    case staleSound = "srt-stale-sound"
    /// It waited while more bytes came than are kept.
    case overfull = "srt-overfull"
    /// More bytes in one group than are kept.
    case tooLarge = "srt-too-large"
    /// It waited when the connection broke.
    case lostConnection = "srt-lost-connection"
    /// It came after the end, or waited when the time to end was over.
    case ended = "srt-ended"
}
