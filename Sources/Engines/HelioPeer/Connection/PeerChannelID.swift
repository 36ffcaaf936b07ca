/// The identifier of a data channel within one ``PeerConnection``. Unlike the SCTP stream number, it is assigned when
/// the channel is opened, and never reused.
package struct PeerChannelID: Hashable, Sendable, Comparable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
