/// Identifies the state of a file without reading it. A file that is replaced as a whole gets a new fingerprint each
/// time.
package struct FileFingerprint: Sendable, Equatable {
    var inode: UInt64
    var size: Int64
    /// The time of the last change, in nanoseconds since 1970.
    var modified: Int64
}
