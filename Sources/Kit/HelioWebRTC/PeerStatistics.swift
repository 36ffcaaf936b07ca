internal import HelioPeer

/// What went through a ``PeerConnection``.
public struct PeerStatistics: Sendable, Hashable {
    /// Datagrams, or framed packets of ICE-TCP.
    public internal(set) var datagramsReceived = 0
    /// Of datagrams, without UDP and IP.
    public internal(set) var bytesReceived = 0
    /// Datagrams, or framed packets of ICE-TCP.
    public internal(set) var datagramsSent = 0
    /// Of datagrams, without UDP and IP.
    public internal(set) var bytesSent = 0
    /// On data channels.
    public internal(set) var messagesReceived = 0
    /// On data channels.
    public internal(set) var messagesSent = 0
    /// The way to the peer; `nil` while there is none.
    public internal(set) var path: PeerPath?
    /// By each track that goes to the peer, in the order in which they were added.
    public internal(set) var outbound: [OutboundTrackStatistics] = []
    /// By each track of the peer's, in the order of the descriptions.
    public internal(set) var inbound: [InboundTrackStatistics] = []
    /// What was thrown away, by name.
    public internal(set) var drops: [String: Int] = [:]

    init() {}

    init(_ engine: HelioPeer.PeerConnection) {
        let counted = engine.statistics
        datagramsReceived = counted.datagramsReceived
        bytesReceived = counted.bytesReceived
        datagramsSent = counted.datagramsSent
        bytesSent = counted.bytesSent
        messagesReceived = counted.messagesReceived
        messagesSent = counted.messagesSent
        path = engine.path.map { PeerPath($0) }
        for transceiver in engine.transceivers {
            if let counted = engine.media?.outbound(transceiver.id) {
                outbound.append(OutboundTrackStatistics(counted))
            }
            if let counted = engine.media?.inbound(transceiver.id) { inbound.append(InboundTrackStatistics(counted)) }
        }
        drops = engine.allDrops
    }
}

extension PeerState {
    init(_ state: PeerConnectionState) {
        self =
            switch state {
            case .new: .new
            case .connecting: .connecting
            case .connected: .connected
            case .disconnected: .disconnected
            case .failed: .failed
            case .closed: .closed
            }
    }
}
