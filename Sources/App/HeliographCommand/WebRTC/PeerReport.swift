internal import HelioWebRTC
private import Heliograph

/// Makes the lines of `--stats`, with the bitrates since the previous line.
struct PeerReport {
    private struct Line: Codable {
        var state: String
        var path: String?
        /// The bitrate of datagrams since the last line, in Mbit/s.
        var sending: Double
        var receiving: Double
        /// The number of frames sent since the start. All following counts are since the start, too.
        var framesSent: Int
        var framesReceived: Int
        var framesSaved: Int
        var messagesSent: Int
        var messagesReceived: Int
        var drops: [String: Int]
    }

    private var earlier: (at: ContinuousClock.Instant, sent: Int, received: Int) = (.now, 0, 0)

    mutating func line(
        _ statistics: PeerStatistics, state: PeerState, sent: Int, received: Int, saved: Int, drops: [String: Int]
    ) -> String {
        let now = ContinuousClock.now
        let seconds = max(0.001, (now - earlier.at) / .seconds(1))
        func rate(_ bytes: Int) -> Double { (Double(max(0, bytes)) * 8 / 1e4 / seconds).rounded() / 100 }
        let line = Line(
            state: state.rawValue, path: statistics.path?.description,
            sending: rate(statistics.bytesSent - earlier.sent),
            receiving: rate(statistics.bytesReceived - earlier.received), framesSent: sent, framesReceived: received,
            framesSaved: saved, messagesSent: statistics.messagesSent, messagesReceived: statistics.messagesReceived,
            drops: drops)
        earlier = (now, statistics.bytesSent, statistics.bytesReceived)
        return (try? line.jsonLine()) ?? ""
    }
}
