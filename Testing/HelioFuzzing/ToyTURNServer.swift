import HelioCore
import HelioSTUN

/// A TURN server for fuzzing that grants every request, without authentication.
struct ToyTURNServer {
    static let relayed = TransportAddress(.v4(0xC000_0201), port: 50_000)

    private var channels: [UInt16: TransportAddress] = [:]

    /// Handles a message from the client; returns the answer, if any, and the data to relay to a peer.
    mutating func take(_ bytes: [UInt8]) -> (answer: [UInt8]?, forwarded: (bytes: [UInt8], to: TransportAddress)?) {
        if let data = ChannelData(parsing: bytes.span.bytes) {
            return (nil, channels[data.channel].map { (data.data, $0) })
        }
        guard let message = try? STUNPacket(parsing: bytes.span.bytes).message else { return (nil, nil) }
        if message.kind == .indication {
            guard let data = message.data, let peer = message.peerAddress else { return (nil, nil) }
            return (nil, (data, peer))
        }
        guard message.kind == .request else { return (nil, nil) }
        var attributes: [STUNAttribute] = []
        switch message.method {
        case .allocate: attributes = [.xorRelayedAddress(Self.relayed), .lifetime(600)]
        case .refresh: attributes = [.lifetime(message.lifetime == 0 ? 0 : 600)]
        case .channelBind: if let number = message.channelNumber { channels[number] = message.peerAddress }
        default: break
        }
        return (
            TURNFuzz.sealed(STUNMessage(.success, message.method, message.transaction, attributes), for: message), nil
        )
    }

    /// Returns the message to the client for a peer's datagram: channel data if there is a channel, otherwise a Data
    /// indication.
    func hear(_ bytes: [UInt8], from peer: TransportAddress) -> [UInt8] {
        if let channel = channels.first(where: { $0.value == peer })?.key {
            return ChannelData(channel: channel, data: bytes).serialised(padded: false)
        }
        let attributes: [STUNAttribute] = [.xorPeerAddress(peer), .data(bytes)]
        return STUNMessage(.indication, .data, STUNTransactionID(high: 1, low: 1), attributes).serialised()
    }
}
