/// The number of a file that is open for a transfer. Whoever asks for it to be opened gives it.
package struct DiskJob: Hashable, Sendable {
    package var rawValue: UInt64
    package init(_ rawValue: UInt64) { self.rawValue = rawValue }
}
