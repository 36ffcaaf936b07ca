/// The two data channels of a browser's session; the raw value is the channel's label.
public enum RemoteChannel: String, Sendable, CaseIterable, Hashable {
    /// The reliable, ordered channel.
    case control
    /// The unreliable, unordered channel, for messages of which only the newest matters.
    case moves
}
