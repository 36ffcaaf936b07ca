internal import HelioCore
internal import HelioICE
internal import HelioSTUN

/// The path that data takes to the peer.
public struct PeerPath: Sendable, Hashable, CustomStringConvertible {
    /// The ICE candidate in use at one end of the path: its kind, transport and address.
    public struct End: Sendable, Hashable, CustomStringConvertible {
        /// The kind of candidate, as in SDP (RFC 8839 section 5.1): `host`, `srflx`, `prflx` or `relay`.
        public let kind: String
        /// True for TCP, false for UDP.
        public let isTCP: Bool
        /// The address with the port: `192.0.2.1:5000` or `[2001:db8::1]:5000`. For a relayed local candidate, this is
        /// the address from which this end reaches the relay.
        public let address: String

        init(_ kind: CandidateKind, _ address: TransportAddress) {
            self.kind = kind.rawValue
            isTCP = address.transport == .tcp
            self.address = TransportAddress(address.ip, port: address.port).description
        }

        /// The end as text: `host 192.0.2.1:5000`, `host tcp 192.0.2.1:5000`.
        public var description: String { "\(kind) \(isTCP ? "tcp " : "")\(address)" }
    }

    /// The end at this machine.
    public let local: End
    /// The peer's end, with the address to which data is sent.
    public let remote: End

    init(_ pair: SelectedPair) {
        local = End(pair.localKind, pair.base)
        remote = End(pair.remoteKind, pair.remote)
    }

    /// The path as text: `host 192.0.2.1:5000 -> prflx 198.51.100.7:6000`.
    public var description: String { "\(local) -> \(remote)" }
}
