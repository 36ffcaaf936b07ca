/// A data channel's identity: its stream number, the same in both directions, which is free for another channel once it
/// is closed.
package struct DataChannelID: Hashable, Sendable, Comparable {
    package var stream: UInt16

    package init(_ stream: UInt16) { self.stream = stream }

    package static func < (a: Self, b: Self) -> Bool { a.stream < b.stream }
}
