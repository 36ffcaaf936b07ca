/// An event of a capture stream, reported on any thread.
package enum StreamEvent<Buffer: Sendable>: Sendable {
    case frame(StreamFrame<Buffer>)
    case stopped(StreamStop)
    /// Displays were added, removed or changed.
    case displaysChanged
}
