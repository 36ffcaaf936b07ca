/// A kind of media that a session carries.
public enum Medium: String, Sendable, Hashable, CaseIterable {
    case video
    /// The sound of all origins.
    case audio
}
