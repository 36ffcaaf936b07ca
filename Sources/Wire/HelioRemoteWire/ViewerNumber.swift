/// The number that the host assigns to a viewer for the time of its session, the same in messages to all viewers.
public struct ViewerNumber: Hashable, Sendable {
    /// The number as it is on the wire.
    public var rawValue: UInt32
    /// Makes a viewer's number.
    public init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
