/// The identifier of a file that is open for a transfer, assigned by the exchange that opens the file.
package struct DiskJob: Hashable, Sendable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
