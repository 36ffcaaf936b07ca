internal import HelioRTSP

/// How a foreign server's media comes: what SETUP asks for, and what the server answers.
enum PlaybackTransport: Sendable, Equatable {
    /// To and from these ports of the server.
    case udp(rtp: UInt16, rtcp: UInt16)
    /// On these channels of the signalling connection.
    case interleaved(rtp: UInt8, rtcp: UInt8)

    /// - Parameter clientPorts: `nil` asks for channels of the connection.
    static func request(clientPorts: (rtp: UInt16, rtcp: UInt16)?, for use: PlainTransport.Use) -> String {
        var header = TransportHeader(clientPorts == nil ? "RTP/AVP/TCP" : "RTP/AVP")
        if let clientPorts {
            header.clientPorts = clientPorts.rtp...clientPorts.rtcp
        } else {
            header.interleaved = 0...1
        }
        // Some servers know it without quotes and in small letters alone.
        if use == .record { header.others = [.init("mode", "record")] }
        return header.value
    }

    /// Reads the answer; `nil` where it says neither ports nor channels. What else stands there is passed over: servers
    /// write much that no player reads.
    init?(answer: String) {
        let parts = answer.split(separator: ";").filter { part in
            let part = part.lowercased().drop { $0 == " " }
            return part.hasPrefix("rtp/") || part.hasPrefix("server_port") || part.hasPrefix("interleaved")
        }
        guard let header = TransportHeader.list(parts.joined(separator: ";"))?.first else { return nil }
        if let channels = header.interleaved {
            guard channels.lowerBound < .max else { return nil }
            let rtcp = channels.count > 1 ? channels.upperBound : channels.lowerBound + 1
            self = .interleaved(rtp: channels.lowerBound, rtcp: rtcp)
        } else if let ports = header.serverPorts, (1..<UInt16.max).contains(ports.lowerBound) {
            let rtcp = ports.count > 1 ? ports.upperBound : ports.lowerBound + 1
            self = .udp(rtp: ports.lowerBound, rtcp: rtcp)
        } else {
            return nil
        }
    }
}
