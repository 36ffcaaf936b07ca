/// The two data channels of a browser's session; the raw value is the channel's label.
package enum RemoteChannel: String, Sendable, CaseIterable, Hashable {
    /// The reliable channel: in order, and nothing is lost.
    case control
    /// The unreliable channel, unordered: only the newest counts.
    case moves
}
