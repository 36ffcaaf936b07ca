import HelioRTSP

/// How one player gets its stream: what it asked for in SETUP, and this end can do.
enum PlayerTransport: Sendable, Equatable {
    /// RTP and RTCP to two UDP ports of the player's.
    case datagrams(media: UInt16, reports: UInt16)
    /// Two channels of the RTSP connection (RFC 2326 section 10.12).
    case interleaved(media: UInt8, reports: UInt8)

    /// The first of a list, the player's favourite first, that is plain RTP to the player alone; `nil` where none is.
    /// A `destination` is passed over: a player can't have somebody else sent a stream.
    init?(_ offers: [TransportHeader]) {
        guard let chosen = offers.lazy.compactMap({ Self($0) }).first else { return nil }
        self = chosen
    }

    private init?(_ offer: TransportHeader) {
        guard offer.delivery != .multicast, offer.mode.map({ $0.uppercased() == "PLAY" }) ?? true else { return nil }
        switch offer.transport.uppercased() {
        case "RTP/AVP", "RTP/AVP/UDP":
            guard let ports = offer.clientPorts, ports.lowerBound > 0, ports.count <= 2, ports.lowerBound < .max else {
                return nil
            }
            self = .datagrams(media: ports.lowerBound, reports: ports.lowerBound + 1)
        case "RTP/AVP/TCP":
            let channels = offer.interleaved ?? 0...1
            guard channels.count <= 2, channels.lowerBound < .max else { return nil }
            self = .interleaved(media: channels.lowerBound, reports: channels.lowerBound + 1)
        default:
            return nil
        }
    }

    /// The answer to SETUP, as far as this knows it.
    var header: TransportHeader {
        switch self {
        case .datagrams(let media, let reports):
            var header = TransportHeader("RTP/AVP")
            header.clientPorts = media...reports
            return header
        case .interleaved(let media, let reports):
            var header = TransportHeader("RTP/AVP/TCP")
            header.interleaved = media...reports
            return header
        }
    }
}
