extension SignalingMessage {
    package struct Hello: Hashable, Sendable {
        /// 1 ... 65535; whoever reads it decides which it speaks.
        package var version: Int
        package var nonce: [UInt8]
        /// SHA-256 of the viewer's DTLS certificate.
        package var fingerprint: [UInt8]
        package var name: String
        /// Whether the viewer can keep no pairing beyond this visit: its page came by plain HTTP.
        package var isVisit: Bool

        package init(
            version: Int = SignalingMessage.protocolVersion, nonce: [UInt8], fingerprint: [UInt8], name: String,
            isVisit: Bool = false
        ) {
            self.version = version
            self.nonce = nonce
            self.fingerprint = fingerprint
            self.name = name
            self.isVisit = isVisit
        }
    }

    package struct Welcome: Hashable, Sendable {
        package var version: Int
        package var nonce: [UInt8]
        /// SHA-256 of the host's DTLS certificate.
        package var fingerprint: [UInt8]
        package var name: String
        /// Whether a person is there to compare codes.
        package var pairing: Bool

        package init(
            version: Int = SignalingMessage.protocolVersion, nonce: [UInt8], fingerprint: [UInt8], name: String,
            pairing: Bool
        ) {
            self.version = version
            self.nonce = nonce
            self.fingerprint = fingerprint
            self.name = name
            self.pairing = pairing
        }
    }

    package struct Join: Hashable, Sendable {
        package var proof: [UInt8]
        /// The pairing whose secret it is; `nil`: the link's, or a ticket.
        package var device: [UInt8]?

        package init(proof: [UInt8], device: [UInt8]? = nil) {
            self.proof = proof
            self.device = device
        }
    }

    package struct Admitted: Hashable, Sendable {
        /// That the host knows the secret too; `nil` after a pairing by codes.
        package var proof: [UInt8]?
        /// The viewer may drive.
        package var control: Bool
        /// At most 16.
        package var iceServers: [ICEServerEntry]

        package init(proof: [UInt8]?, control: Bool, iceServers: [ICEServerEntry] = []) {
            self.proof = proof
            self.control = control
            self.iceServers = iceServers
        }
    }
}
