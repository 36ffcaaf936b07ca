package import HelioCore

/// The payload types of negotiated FlexFEC in each direction.
package struct NegotiatedParity: Sendable, Hashable {
    /// The payload type of packets to the peer.
    package var sendPayloadType: PayloadType
    /// The payload type of packets from the peer.
    package var receivePayloadType: PayloadType
}
