/// A viewer's permitted transports for its media.
package enum TransportPolicy: Sendable, CaseIterable {
    /// UDP, and TCP for as long as UDP does not carry the media.
    case automatic
    /// UDP only, even if it does not carry the media.
    case udp
    /// TCP from the start.
    case tcp
}
