/// A signalling connection's identifier, assigned by the driver.
package struct ConnectionID: Hashable, Sendable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
