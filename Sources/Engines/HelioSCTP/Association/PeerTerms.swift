/// The peer's parameters, from its INIT or INIT-ACK.
struct PeerTerms: Hashable, Sendable {
    var tag: UInt32
    var initialTSN: UInt32
    var window: UInt32
    /// The number of streams on which we may send.
    var inboundStreams: UInt16
    /// The number of streams on which the peer may send.
    var outboundStreams: UInt16
    var supportsForwardTSN: Bool
    var supportsReconfiguration: Bool
    var acceptsZeroChecksum: Bool
}

extension PeerTerms {
    init(_ chunk: InitiationChunk) {
        self.init(
            tag: chunk.tag, initialTSN: chunk.initialTSN, window: chunk.window, inboundStreams: chunk.inboundStreams,
            outboundStreams: chunk.outboundStreams, supportsForwardTSN: chunk.supportsForwardTSN,
            supportsReconfiguration: chunk.supportsReconfiguration, acceptsZeroChecksum: chunk.acceptsZeroChecksum)
    }
}
