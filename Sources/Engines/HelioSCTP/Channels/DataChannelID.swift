/// The identifier of a data channel: its stream number, which is the same in both directions. It is reused after the
/// channel has closed.
package struct DataChannelID: Hashable, Sendable, Comparable {
    package var stream: UInt16

    package init(_ stream: UInt16) { self.stream = stream }

    package static func < (a: Self, b: Self) -> Bool { a.stream < b.stream }
}
