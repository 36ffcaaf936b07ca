/// A fault in a chunk stream, after which the rest can't be parsed.
package enum RTMPChunkFault: String, Error, CaseIterable, Sendable {
    /// A chunk without a full header on a chunk stream that has had no header yet.
    case headless = "rtmp-headless-chunk"
    /// A message header in a chunk that should continue a message.
    case interrupted = "rtmp-interrupted-message"
    /// A message that exceeds the limit, or partial messages that exceed it together.
    case tooLarge = "rtmp-too-large"
    /// More chunk streams than the limit.
    case tooManyStreams = "rtmp-too-many-chunk-streams"
    /// An invalid chunk size or abort message.
    case malformedControl = "rtmp-malformed-control"
}
