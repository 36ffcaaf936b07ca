extension SignalingMessage {
    package struct Hello: Hashable, Sendable {
        /// The protocol version, 1 ... 65535; the receiver decides which versions it supports.
        package var version: Int
        package var nonce: [UInt8]
        /// The SHA-256 of the viewer's DTLS certificate.
        package var fingerprint: [UInt8]
        package var name: String
        /// True if the viewer can't store a pairing beyond this visit, because its page was loaded over plain HTTP.
        package var isVisit: Bool
        /// True if the browser claims to run on a phone or tablet.
        package var isPhone: Bool

        package init(
            version: Int = SignalingMessage.protocolVersion, nonce: [UInt8], fingerprint: [UInt8], name: String,
            isVisit: Bool = false, isPhone: Bool = false
        ) {
            self.version = version
            self.nonce = nonce
            self.fingerprint = fingerprint
            self.name = name
            self.isVisit = isVisit
            self.isPhone = isPhone
        }
    }

    package struct Welcome: Hashable, Sendable {
        package var version: Int
        package var nonce: [UInt8]
        /// The SHA-256 of the host's DTLS certificate.
        package var fingerprint: [UInt8]
        package var name: String
        /// True if a user is at the host to compare pairing codes.
        package var pairing: Bool
        /// The host's operating system; `nil` if not given.
        package var system: HostSystem?
        /// True if the host also serves the page by HTTPS, at the same port as by HTTP.
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
        /// The pairing to which the secret belongs; `nil` for the link's secret or a ticket.
        package var device: [UInt8]?

        package init(proof: [UInt8], device: [UInt8]? = nil) {
            self.proof = proof
            self.device = device
        }
    }

    package struct Admitted: Hashable, Sendable {
        /// The host's proof that it also knows the secret; `nil` after a pairing by code comparison.
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
