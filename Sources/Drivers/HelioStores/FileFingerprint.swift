/// Tells one state of a file from another without reading it: files that are replaced whole get a new one each time.
package struct FileFingerprint: Sendable, Equatable {
    var inode: UInt64
    var size: Int64
    /// Nanoseconds since 1970.
    var modified: Int64
}
