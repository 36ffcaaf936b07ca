package import HelioRTP

/// The transport of unencrypted RTP between a server and a client, which the client requests in SETUP and the server
/// confirms. The ports are the peer's.
package enum PlainTransport: Sendable, Equatable {
    /// Two UDP ports of the peer, for RTP and RTCP.
    case datagrams(media: UInt16, reports: UInt16)
    /// Two interleaved channels of the RTSP connection (RFC 2326 section 10.12).
    case interleaved(media: UInt8, reports: UInt8)

    /// Returns whether an interleaved channel carries the stream's RTP or RTCP; `nil` if the channel belongs to another
    /// stream, or if this transport is UDP.
    package func channel(_ number: UInt8) -> RTPChannel? {
        guard case .interleaved(let media, let reports) = self else { return nil }
        return number == media ? .rtp : number == reports ? .rtcp : nil
    }

    /// Returns true if both transports use the same interleaved channel.
    package func overlaps(_ other: Self) -> Bool {
        guard case .interleaved(let media, let reports) = other else { return false }
        return channel(media) != nil || channel(reports) != nil
    }

    package var isDatagrams: Bool { if case .datagrams = self { true } else { false } }

    /// The client's use of the stream: play or record.
    package enum Use: Sendable {
        case play
        case record
    }

    /// Chooses the first supported transport of a list, which is in the peer's order of preference: unicast plain RTP.
    /// Returns the transport with the answer's header, without this end's ports; `nil` if no transport is supported.
    /// Ignores `destination`, so that no stream can be redirected to a third party.
    ///
    /// - Parameter freeChannel: the first of the two channels if the peer requests channels without numbers.
    package static func choose(
        _ offers: [TransportHeader], for use: Use, freeChannel: UInt8 = 0
    ) -> (transport: PlainTransport, answer: TransportHeader)? {
        for offer in offers {
            guard let transport = Self(offer, use, freeChannel) else { continue }
            var answer = TransportHeader(offer.transport.uppercased())
            if answer.transport.hasSuffix("/UDP") { answer.transport.removeLast(4) }
            answer.mode = use == .play ? "PLAY" : "RECORD"
            switch transport {
            case .datagrams(let media, let reports): answer.clientPorts = media...reports
            case .interleaved(let media, let reports): answer.interleaved = media...reports
            }
            return (transport, answer)
        }
        return nil
    }

    /// Makes the header with which a client requests a transport.
    ///
    /// - Parameters:
    ///   - clientPorts: the client's ports; `nil` requests interleaved channels.
    ///   - firstChannel: the first of the two channels.
    package static func request(
        clientPorts: (rtp: UInt16, rtcp: UInt16)?, firstChannel: UInt8 = 0, for use: Use
    ) -> String {
        var header = TransportHeader(clientPorts == nil ? "RTP/AVP/TCP" : "RTP/AVP")
        if let clientPorts {
            header.clientPorts = clientPorts.rtp...clientPorts.rtcp
        } else {
            header.interleaved = firstChannel...firstChannel + 1
        }
        // Some servers only accept the mode without quotes and in lower case.
        if use == .record { header.others = [.init("mode", "record")] }
        return header.value
    }

    /// Reads a server's answer; `nil` if it has neither ports nor channels. Ignores all other parameters, which may be
    /// malformed.
    package init?(answer: String) {
        let parts = answer.split(separator: ";").filter { part in
            let part = part.lowercased().drop { $0 == " " }
            return part.hasPrefix("rtp/") || part.hasPrefix("server_port") || part.hasPrefix("interleaved")
        }
        guard let header = TransportHeader.list(parts.joined(separator: ";"))?.first else { return nil }
        if let channels = header.interleaved {
            guard channels.lowerBound < .max else { return nil }
            let reports = channels.count > 1 ? channels.upperBound : channels.lowerBound + 1
            self = .interleaved(media: channels.lowerBound, reports: reports)
        } else if let ports = header.serverPorts, (1..<UInt16.max).contains(ports.lowerBound) {
            let reports = ports.count > 1 ? ports.upperBound : ports.lowerBound + 1
            self = .datagrams(media: ports.lowerBound, reports: reports)
        } else {
            return nil
        }
    }

    private init?(_ offer: TransportHeader, _ use: Use, _ freeChannel: UInt8) {
        // Some old publishers send RECEIVE, from their server's point of view.
        let modes = use == .play ? ["PLAY"] : ["RECORD", "RECEIVE"]
        guard offer.delivery != .multicast, offer.mode.map({ modes.contains($0.uppercased()) }) ?? true else {
            return nil
        }
        var name = offer.transport.uppercased()
        // AVPF is treated as AVP if the client records: only this end would then send feedback, which is optional (RFC
        // 4585).
        if use == .record, name.hasPrefix("RTP/AVPF") { name.remove(at: name.index(name.startIndex, offsetBy: 7)) }
        switch name {
        case "RTP/AVP", "RTP/AVP/UDP":
            guard let ports = offer.clientPorts, ports.lowerBound > 0, ports.count <= 2, ports.lowerBound < .max else {
                return nil
            }
            self = .datagrams(media: ports.lowerBound, reports: ports.lowerBound + 1)
        case "RTP/AVP/TCP":
            let channels = offer.interleaved ?? freeChannel...freeChannel
            guard channels.count <= 2, channels.lowerBound < .max else { return nil }
            self = .interleaved(media: channels.lowerBound, reports: channels.lowerBound + 1)
        default:
            return nil
        }
    }
}
