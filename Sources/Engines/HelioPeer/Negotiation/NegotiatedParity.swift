package import HelioCore

/// FlexFEC that both ends have, with its payload types each way.
package struct NegotiatedParity: Sendable, Hashable {
    /// The payload type of packets to the peer.
    package var sendPayloadType: PayloadType
    /// The payload type of packets from the peer.
    package var receivePayloadType: PayloadType
}
