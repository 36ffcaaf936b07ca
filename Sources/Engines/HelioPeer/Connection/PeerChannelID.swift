/// A data channel of one ``PeerConnection``. Unlike the SCTP stream number, it is known at once and never reused.
package struct PeerChannelID: Hashable, Sendable, Comparable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
