/// The number that the host gives a viewer for as long as it watches; all viewers know it by the same number.
package struct ViewerNumber: Hashable, Sendable {
    package var rawValue: UInt32
    package init(_ rawValue: UInt32) { self.rawValue = rawValue }
}
