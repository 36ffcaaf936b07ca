/// A transport protocol: UDP or TCP.
package enum TransportProtocol: Hashable, Sendable, CaseIterable {
    case udp
    case tcp
}
