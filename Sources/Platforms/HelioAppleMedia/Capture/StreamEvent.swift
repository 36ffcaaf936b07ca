/// What a capture stream tells, from any thread.
package enum StreamEvent<Buffer: Sendable>: Sendable {
    case frame(StreamFrame<Buffer>)
    case stopped(StreamStop)
    /// Displays came, went or changed.
    case displaysChanged
}
