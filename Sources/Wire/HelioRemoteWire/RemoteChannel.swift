/// The two data channels of a browser's session; the raw value is the channel's label.
package enum RemoteChannel: String, Sendable, CaseIterable, Hashable {
    /// In order, and nothing is lost.
    case control
    /// Neither: only the newest counts.
    case moves
}
