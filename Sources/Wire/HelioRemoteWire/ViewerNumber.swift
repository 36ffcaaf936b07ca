/// The number of a viewer, the same to all viewers, as long as it watches.
package struct ViewerNumber: Hashable, Sendable {
    package var rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
