/// A kind of media that a session carries.
public enum Medium: String, Sendable, Hashable, CaseIterable {
    /// Pictures. Sound is not carried yet.
    case video
}
