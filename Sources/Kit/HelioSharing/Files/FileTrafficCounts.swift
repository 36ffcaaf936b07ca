package import HelioTransfer

/// Counters of the file traffic with all peers, without any names.
public struct FileTrafficCounts: Sendable, Hashable, Codable {
    /// The number of files and folders that the other end has received completely.
    public var sent = 0
    /// The bytes sent, including those of files that did not arrive.
    public var bytesSent: UInt64 = 0
    /// The number of files and folders that this end has received completely.
    public var received = 0
    /// The bytes received, including those of incomplete files.
    public var bytesReceived: UInt64 = 0
    /// The number of files and folders that failed, in either direction.
    public var failed = 0

    enum CodingKeys: String, CodingKey {
        case sent, received, failed
        case bytesSent = "bytes_sent"
        case bytesReceived = "bytes_received"
    }

    /// The traffic as one line of text for the statistics overlay.
    package var line: String {
        let out = (Double(bytesSent) / 1e6).text(decimals: 1)
        let inward = (Double(bytesReceived) / 1e6).text(decimals: 1)
        return "files sent \(sent), \(out) MB   received \(received), \(inward) MB"
    }

    package init(_ statistics: FileStatistics) {
        sent = statistics.filesSent
        bytesSent = statistics.bytesSent
        received = statistics.filesReceived
        bytesReceived = statistics.bytesReceived
        failed = statistics.filesFailed
    }
}
