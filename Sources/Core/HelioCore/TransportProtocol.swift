/// What a port belongs to.
package enum TransportProtocol: Hashable, Sendable, CaseIterable {
    case udp
    case tcp
}
