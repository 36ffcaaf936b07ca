/// What a broadcast has to do now.
public enum BroadcastAction: Sendable, Hashable {
    /// Open the connection; what the person set up, by name, as far as it is text (row 168).
    case open(setup: [String: String])
    /// Send nothing until `goOn`.
    case hold
    /// Go on, with a keyframe.
    case goOn
    /// Close the connection in good order.
    case close
}
