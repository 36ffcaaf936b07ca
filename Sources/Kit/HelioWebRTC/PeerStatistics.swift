internal import HelioPeer

/// The statistics of a ``PeerConnection``.
public struct PeerStatistics: Sendable, Hashable {
    /// Datagrams received, ICE-TCP's framed packets included.
    public internal(set) var datagramsReceived = 0
    /// Bytes of datagrams received, without UDP and IP headers.
    public internal(set) var bytesReceived = 0
    /// Datagrams sent, ICE-TCP's framed packets included.
    public internal(set) var datagramsSent = 0
    /// Bytes of datagrams sent, without UDP and IP headers.
    public internal(set) var bytesSent = 0
    /// Messages received on data channels.
    public internal(set) var messagesReceived = 0
    /// Messages sent on data channels.
    public internal(set) var messagesSent = 0
    /// The path to the peer; `nil` while there is none.
    public internal(set) var path: PeerPath?
    /// The statistics of each track sent to the peer, in the order in which they were added.
    public internal(set) var outbound: [OutboundTrackStatistics] = []
    /// The statistics of each track that the peer sends, in the order of the descriptions.
    public internal(set) var inbound: [InboundTrackStatistics] = []
    /// The number of dropped items by reason.
    public internal(set) var drops: [String: Int] = [:]

    init() {}

    init(_ engine: PeerEngine) {
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
