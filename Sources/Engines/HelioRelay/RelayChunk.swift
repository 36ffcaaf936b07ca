import HelioCore

/// Messages that are handed to the socket together.
struct RelayChunk: Sendable {
    enum Content: Sendable, Hashable {
        case control
        case format
        case sound
        /// A whole picture, or a slice of it.
        case picture(UInt64, isFirst: Bool, isLast: Bool)
    }

    let content: Content
    let bytes: [UInt8]
    let queued: Instant

    var isPicture: Bool { if case .picture = content { true } else { false } }
}
