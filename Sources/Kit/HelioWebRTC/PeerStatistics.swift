internal import HelioPeer

/// The statistics of a ``PeerConnection``.
public struct PeerStatistics: Sendable, Hashable {
    private var traffic = PeerConnectionStatistics()

    /// Datagrams received, ICE-TCP's framed packets included.
    public var datagramsReceived: Int { traffic.datagramsReceived }
    /// Bytes of datagrams received, without UDP and IP headers.
    public var bytesReceived: Int { traffic.bytesReceived }
    /// Datagrams sent, ICE-TCP's framed packets included.
    public var datagramsSent: Int { traffic.datagramsSent }
    /// Bytes of datagrams sent, without UDP and IP headers.
    public var bytesSent: Int { traffic.bytesSent }
    /// Messages received on data channels.
    public var messagesReceived: Int { traffic.messagesReceived }
    /// Messages sent on data channels.
    public var messagesSent: Int { traffic.messagesSent }
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
        traffic = engine.statistics
        path = engine.path.map { PeerPath($0) }
        for transceiver in engine.transceivers {
            if let counted = engine.media?.outbound(transceiver.id) { outbound.append(.init(counted: counted)) }
            if let counted = engine.media?.inbound(transceiver.id) { inbound.append(.init(counted: counted)) }
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
