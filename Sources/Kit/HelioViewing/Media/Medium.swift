/// A kind of media that a session carries.
public enum Medium: String, Sendable, Hashable, CaseIterable {
    /// Video. Sound is not carried yet.
    case video
}
