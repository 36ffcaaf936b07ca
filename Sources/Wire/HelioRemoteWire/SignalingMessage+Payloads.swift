extension SignalingMessage {
    package struct Hello: Hashable, Sendable {
        /// The protocol's version, 1 ... 65535; whoever reads it decides which it speaks.
        package var version: Int
        package var nonce: [UInt8]
        /// The SHA-256 of the viewer's DTLS certificate.
        package var fingerprint: [UInt8]
        package var name: String
        /// True if the viewer can keep no pairing beyond this visit: its page came by plain HTTP.
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
        /// The SHA-256 of the host's DTLS certificate.
        package var fingerprint: [UInt8]
        package var name: String
        /// True if a person is there to compare codes.
        package var pairing: Bool
        /// The host's system; `nil` where it does not tell.
        package var system: HostSystem?
        /// True where the page is served by HTTPS too, at the port that it is served at by HTTP.
        package var servesHTTPS: Bool

        package init(
            version: Int = SignalingMessage.protocolVersion, nonce: [UInt8], fingerprint: [UInt8], name: String,
            pairing: Bool, system: HostSystem? = nil, servesHTTPS: Bool = false
        ) {
            self.version = version
            self.nonce = nonce
            self.fingerprint = fingerprint
            self.name = name
            self.pairing = pairing
            self.system = system
            self.servesHTTPS = servesHTTPS
        }
    }

    package struct Join: Hashable, Sendable {
        package var proof: [UInt8]
        /// The pairing that the secret belongs to; `nil`: the link's, or a ticket.
        package var device: [UInt8]?

        package init(proof: [UInt8], device: [UInt8]? = nil) {
            self.proof = proof
            self.device = device
        }
    }

    package struct Admitted: Hashable, Sendable {
        /// The proof that the host knows the secret too; `nil` after a pairing by codes.
        package var proof: [UInt8]?
        /// True if the viewer may control the host.
        package var control: Bool
        /// The ICE servers, at most 16.
        package var iceServers: [ICEServerEntry]

        package init(proof: [UInt8]?, control: Bool, iceServers: [ICEServerEntry] = []) {
            self.proof = proof
            self.control = control
            self.iceServers = iceServers
        }
    }
}
