private import Foundation
package import HelioCore

/// Counts of what has gone between two clipboards; never content.
public struct ClipboardTraffic: Sendable, Hashable, Codable {
    /// Contents that were pasted at the other end.
    public var sent = 0
    /// Their bytes.
    public var bytesSent = 0
    /// Contents of the other end that were pasted here.
    public var received = 0
    /// The bytes of all that came, also of what was not whole.
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

    /// The line of an overlay.
    var line: String {
        String(
            format: "clipboard sent %ld, %.1f kB   received %ld, %.1f kB", sent, Double(bytesSent) / 1000, received,
            Double(bytesReceived) / 1000)
    }
}
