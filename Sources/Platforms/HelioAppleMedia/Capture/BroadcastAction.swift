/// A step of a broadcast, for an observer to execute.
public enum BroadcastAction: Sendable, Hashable {
    /// Opens the connection. `setup` has those of the user's settings that are text, by name (requirement row 168).
    case open(setup: [String: String])
    /// Pauses sending until `goOn`.
    case hold
    /// Resumes sending, with a keyframe.
    case goOn
    /// Ends the stream and closes the connection, as the broadcast has ended.
    case close
}
