package import HelioCore

/// A signalling message on the WebSocket, in either direction, until the peer connection is established.
///
/// Parsing checks lengths: each nonce has 16 bytes, each fingerprint, proof and commitment 32.
package enum SignalingMessage: RemoteMessage {
    // Messages from the viewer
    case hello(Hello)
    case join(Join)
    case pair(commitment: [UInt8])
    case reveal(nonce: [UInt8])
    case confirm
    case offer(sdp: String)
    /// The only message of a call by a rendezvous: the host is asked to wake the machine with these addresses, 1 to 4,
    /// on its own network (`MagicPacket`). `woken` answers.
    case wake([HardwareAddress])
    // Messages from the host
    case welcome(Welcome)
    case pairing(nonce: [UInt8])
    case admitted(Admitted)
    case refused(RefusalReason)
    case answer(sdp: String)
    /// The number of networks on which the packets were sent, at most 255; 0 if none could be sent.
    case woken(networks: Int)
    case bye(reason: String)
    // Messages from both sides
    /// A candidate; `nil` marks the end of candidates.
    case candidate(TrickledCandidate?)
    case error(RemoteErrorReport)

    package static let maximumSize = 65_536
    package static let nonceLength = 16
    package static let fingerprintLength = 32
    package static let proofLength = 32
    package static let commitmentLength = 32
    /// The length of a paired device's identifier, in bytes.
    package static let deviceLength = 16
    /// The maximum size of the name that a participant gives itself, in bytes of UTF-8. `DeviceName` cleans the name
    /// for display.
    package static let longestName = 256
    package static let longestDescription = 49_152
    /// The maximum number of addresses in a `wake`.
    package static let mostWakeAddresses = 4
    package static let mostWakeNetworks = 255
    /// The maximum size of the reason of a `bye`, in bytes of UTF-8.
    package static let longestReason = 256
    package static let protocolVersion = 1
}
