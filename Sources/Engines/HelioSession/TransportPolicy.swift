/// The transports that a viewer lets its media go by.
package enum TransportPolicy: Sendable, CaseIterable {
    /// UDP, and TCP for as long as UDP does not carry the media.
    case automatic
    /// UDP alone.
    case udp
    /// TCP from the start.
    case tcp
}
