/// How plain RTP goes between our server and one peer: what that asked for in SETUP, and this end can do.
package enum PlainTransport: Sendable, Equatable {
    /// RTP and RTCP to or from two UDP ports of the peer's.
    case datagrams(media: UInt16, reports: UInt16)
    /// Two channels of the RTSP connection (RFC 2326 section 10.12).
    case interleaved(media: UInt8, reports: UInt8)

    /// Which of the stream's two a channel of the connection is; `nil` for another's, and where it goes by UDP.
    package func channel(_ number: UInt8) -> RTPChannel? {
        guard case .interleaved(let media, let reports) = self else { return nil }
        return number == media ? .rtp : number == reports ? .rtcp : nil
    }

    /// What the peer wants to do with the stream.
    package enum Use: Sendable {
        case play
        case record
    }

    /// The first of a list, the peer's favourite first, that is plain RTP to or from the peer alone, and the answer as
    /// far as it is known here; `nil` where none is. A `destination` is passed over: nobody can have somebody else sent
    /// a stream.
    ///
    /// - Parameter freeChannel: given to a peer that wants two channels and does not say which.
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

    private init?(_ offer: TransportHeader, _ use: Use, _ freeChannel: UInt8) {
        // Some old publishers say RECEIVE, from their server's point of view.
        let modes = use == .play ? ["PLAY"] : ["RECORD", "RECEIVE"]
        guard offer.delivery != .multicast, offer.mode.map({ modes.contains($0.uppercased()) }) ?? true else {
            return nil
        }
        var name = offer.transport.uppercased()
        // Feedback is this end's choice when it records (RFC 4585).
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
