/// What was wrong in a chunk stream: nothing after it can be read.
package enum RTMPChunkFault: String, Error, CaseIterable, Sendable {
    /// A chunk that goes on where nothing was begun.
    case headless = "rtmp-headless-chunk"
    /// A header in the midst of a message.
    case interrupted = "rtmp-interrupted-message"
    /// A message that is longer than is read, or more parts of messages than are kept.
    case tooLarge = "rtmp-too-large"
    /// More chunk streams than are kept.
    case tooManyStreams = "rtmp-too-many-chunk-streams"
    /// A size of chunks, or an abort, that makes no sense.
    case malformedControl = "rtmp-malformed-control"
}
