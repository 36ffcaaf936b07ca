/// A fault in a chunk stream, after which nothing can be read.
package enum RTMPChunkFault: String, Error, CaseIterable, Sendable {
    /// A chunk that continues a chunk stream which has no header yet.
    case headless = "rtmp-headless-chunk"
    /// A header in the middle of a message.
    case interrupted = "rtmp-interrupted-message"
    /// A message that exceeds the limit, or partial messages that exceed it together.
    case tooLarge = "rtmp-too-large"
    /// More chunk streams than the limit.
    case tooManyStreams = "rtmp-too-many-chunk-streams"
    /// An invalid chunk size or abort message.
    case malformedControl = "rtmp-malformed-control"
}
