/// The number of a link, chosen by the driver. The two ends may use different numbers for the same link.
package struct LinkID: Hashable, Sendable, Comparable, CustomStringConvertible {
    package var value: UInt8
    package init(_ value: UInt8) { self.value = value }
    package static func < (a: Self, b: Self) -> Bool { a.value < b.value }
    package var description: String { "link-\(value)" }
}
