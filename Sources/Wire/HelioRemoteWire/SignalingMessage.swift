package import HelioCore

/// A signalling message on the WebSocket, in either direction, until the peer connection is established.
///
/// Parsing checks lengths: each nonce has 16 bytes, each fingerprint, proof and commitment 32.
public enum SignalingMessage: RemoteMessage {
    // Messages from the viewer
    /// The first message: the viewer's nonce and certificate.
    case hello(Hello)
    /// The proof that the viewer knows the secret of a link, a ticket or a pairing.
    case join(Join)
    /// The beginning of a pairing by code comparison: the commitment to the nonce that ``reveal(nonce:)`` has.
    case pair(commitment: [UInt8])
    /// The nonce to which the viewer has committed itself.
    case reveal(nonce: [UInt8])
    /// The viewer's user has found both codes equal.
    case confirm
    /// The viewer's offer: 1 ... ``longestDescription`` bytes of SDP.
    case offer(sdp: String)
    /// The first message of a call by a rendezvous that has no other purpose: the host is asked to wake the machine
    /// with these addresses, 1 to 4, on its own network (`MagicPacket`). The host repeats the request, the viewer does
    /// so again, which proves that it is there now, and `woken` answers.
    case wake([HardwareAddress])
    // Messages from the host
    /// The answer to `hello`: the host's nonce and certificate.
    case welcome(Welcome)
    /// The answer to `pair`: the host's nonce for the code.
    case pairing(nonce: [UInt8])
    /// The viewer may send its offer.
    case admitted(Admitted)
    /// The viewer is refused; the host closes the connection.
    case refused(RefusalReason)
    /// The host's answer to the offer: 1 ... ``longestDescription`` bytes of SDP.
    case answer(sdp: String)
    /// The number of networks on which the packets were sent, at most 255; 0 if none could be sent.
    case woken(networks: Int)
    /// The end of the connection, with a reason of at most ``longestReason`` bytes.
    case bye(reason: String)
    // Messages from both sides
    /// A candidate; `nil` marks the end of candidates.
    case candidate(TrickledCandidate?)
    /// The report of a message that was rejected.
    case error(RemoteErrorReport)

    /// The maximum size of a message, in bytes of JSON.
    public static let maximumSize = 65_536
    /// The length of a nonce, in bytes.
    public static let nonceLength = 16
    /// The length of a certificate's fingerprint, its SHA-256, in bytes.
    public static let fingerprintLength = 32
    /// The length of a proof, in bytes.
    public static let proofLength = 32
    /// The length of a commitment, in bytes.
    public static let commitmentLength = 32
    /// The length of a paired device's identifier, in bytes.
    public static let deviceLength = 16
    /// The maximum size of the name that a participant gives itself, in bytes of UTF-8. Clean the name before it is
    /// displayed.
    public static let longestName = 256
    /// The maximum size of an offer or answer, in bytes of SDP.
    public static let longestDescription = 49_152
    /// The maximum number of addresses in a `wake`.
    public static let mostWakeAddresses = 4
    /// The maximum number of networks that a `woken` tells of.
    public static let mostWakeNetworks = 255
    /// The maximum size of the reason of a `bye`, in bytes of UTF-8.
    public static let longestReason = 256
    /// The version of the protocol that this library speaks.
    public static let protocolVersion = 1
}
