/// The reason why a source refused an event of an app's signalling service.
enum AppSignalingDrop: String, CaseIterable, Hashable, Sendable {
    /// A connection beyond the number at once.
    case tooManyConnections = "too-many-connections"
    /// A message that is longer than any of the protocol.
    case oversizedMessage = "oversized-message"
    /// A message while too many others wait for the source.
    case tooMuchWaiting = "too-much-waiting"
    /// An event of a connection that is not open, or is open already.
    case unexpected
}
