package import HelioCore

/// The statistics of one end of a file exchange. They hold no file names.
package struct FileStatistics: Sendable {
    package var filesSent = 0
    package var filesReceived = 0
    package var filesFailed = 0
    /// The bytes of files sent; bytes that are sent again on a new channel are counted again. The same holds for
    /// `bytesReceived`.
    package var bytesSent: UInt64 = 0
    package var bytesReceived: UInt64 = 0
    package var drops = DropCounter<FileDrop>()

    package init() {}

    package static func + (a: Self, b: Self) -> Self {
        var sum = a
        sum.filesSent += b.filesSent
        sum.filesReceived += b.filesReceived
        sum.filesFailed += b.filesFailed
        sum.bytesSent += b.bytesSent
        sum.bytesReceived += b.bytesReceived
        sum.drops.add(b.drops)
        return sum
    }
}
