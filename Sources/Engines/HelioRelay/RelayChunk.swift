import HelioCore

/// A sequence of messages that is passed to the socket at once.
struct RelayChunk: Sendable {
    enum Content: Sendable, Hashable {
        case control
        case format
        case sound
        /// The messages of a complete picture, or of one of its slices; the number is the frame index.
        case picture(UInt64, isFirst: Bool, isLast: Bool)
    }

    let content: Content
    let bytes: [UInt8]
    let queued: Instant

    var isPicture: Bool { if case .picture = content { true } else { false } }
}
