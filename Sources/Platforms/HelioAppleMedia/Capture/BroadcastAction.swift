/// A step of a broadcast.
public enum BroadcastAction: Sendable, Hashable {
    /// Opens the connection, with the person's settings by name, as far as they are text (row 168).
    case open(setup: [String: String])
    /// Pauses sending until `goOn`.
    case hold
    /// Resumes sending, with a keyframe.
    case goOn
    /// Closes the connection properly.
    case close
}
