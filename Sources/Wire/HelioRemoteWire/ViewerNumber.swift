/// The number that the host assigns to a viewer for the time of its session, the same in messages to all viewers.
package struct ViewerNumber: Hashable, Sendable {
    package var rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
