internal import HelioCore
internal import HelioICE
internal import HelioSTUN

/// The way that data goes to the peer.
public struct PeerPath: Sendable, Hashable, CustomStringConvertible {
    /// One end of it.
    public struct End: Sendable, Hashable, CustomStringConvertible {
        /// What kind of candidate it is, as in SDP (RFC 8839 section 5.1): `host`, `srflx`, `prflx` or `relay`.
        public let kind: String
        /// Packets go by TCP; by UDP otherwise.
        public let isTCP: Bool
        /// Address and port: `192.0.2.1:5000` or `[2001:db8::1]:5000`. Of a relayed candidate at this end: what the relay
        /// is spoken to from.
        public let address: String

        init(_ kind: CandidateKind, _ address: TransportAddress) {
            self.kind = kind.rawValue
            isTCP = address.transport == .tcp
            self.address = TransportAddress(address.ip, port: address.port).description
        }

        /// `host 192.0.2.1:5000`, `host tcp 192.0.2.1:5000`.
        public var description: String { "\(kind) \(isTCP ? "tcp " : "")\(address)" }
    }

    /// Where packets leave from.
    public let local: End
    /// Where they go to.
    public let remote: End

    init(_ pair: SelectedPair) {
        local = End(pair.localKind, pair.base)
        remote = End(pair.remoteKind, pair.remote)
    }

    /// `host 192.0.2.1:5000 -> prflx 198.51.100.7:6000`.
    public var description: String { "\(local) -> \(remote)" }
}
