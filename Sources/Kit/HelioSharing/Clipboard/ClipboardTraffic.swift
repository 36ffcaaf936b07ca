package import HelioCore

/// Counters of the traffic between two clipboards, without any content.
public struct ClipboardTraffic: Sendable, Hashable, Codable {
    /// The number of contents copied at this end that were pasted at the other end.
    public var sent = 0
    /// The bytes of the contents sent.
    public var bytesSent = 0
    /// The number of contents copied at the other end that were pasted at this end.
    public var received = 0
    /// The bytes received, including those of incomplete contents.
    public var bytesReceived = 0

    enum CodingKeys: String, CodingKey {
        case sent, received
        case bytesSent = "bytes_sent"
        case bytesReceived = "bytes_received"
    }

    package init(_ statistics: ClipboardStatistics) {
        sent = statistics.transfersSent
        bytesSent = statistics.bytesSent
        received = statistics.transfersReceived
        bytesReceived = statistics.bytesReceived
    }

    /// The traffic as one line of text for the statistics overlay.
    package var line: String {
        let out = (Double(bytesSent) / 1000).text(decimals: 1)
        let inward = (Double(bytesReceived) / 1000).text(decimals: 1)
        return "clipboard sent \(sent), \(out) kB   received \(received), \(inward) kB"
    }
}
