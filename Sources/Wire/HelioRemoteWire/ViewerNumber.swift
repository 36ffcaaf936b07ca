/// The number of a viewer while it watches, the same for all viewers.
package struct ViewerNumber: Hashable, Sendable {
    package var rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
