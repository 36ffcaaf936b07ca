extension SignalingMessage {
    /// The viewer's introduction.
    public struct Hello: Hashable, Sendable {
        /// The protocol version, 1 ... 65535; the receiver decides which versions it supports.
        public var version: Int
        /// The viewer's nonce, 16 bytes.
        public var nonce: [UInt8]
        /// The SHA-256 of the viewer's DTLS certificate.
        public var fingerprint: [UInt8]
        /// The name that this end gives itself, at most 256 bytes of UTF-8.
        public var name: String
        /// True if the viewer can't store a pairing beyond this visit, because its page was loaded over plain HTTP.
        public var isVisit: Bool
        /// True if the browser claims to run on a phone or tablet.
        public var isPhone: Bool

        /// Makes a payload of the fields given.
        public init(
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

    /// The host's introduction.
    public struct Welcome: Hashable, Sendable {
        /// The protocol version, 1 ... 65535, that the host speaks.
        public var version: Int
        /// The host's nonce, 16 bytes.
        public var nonce: [UInt8]
        /// The SHA-256 of the host's DTLS certificate.
        public var fingerprint: [UInt8]
        /// The name that this end gives itself, at most 256 bytes of UTF-8.
        public var name: String
        /// True if a user is at the host to compare pairing codes.
        public var pairing: Bool
        /// The host's operating system; `nil` if not given.
        public var system: HostSystem?
        /// True if the host also serves the page by HTTPS, at the same port as by HTTP.
        public var servesHTTPS: Bool

        /// Makes a payload of the fields given.
        public init(
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

    /// The viewer's proof.
    public struct Join: Hashable, Sendable {
        /// The proof, 32 bytes, bound to both nonces and fingerprints (docs/web/protocol.md).
        public var proof: [UInt8]
        /// The pairing to which the secret belongs; `nil` for the link's secret or a ticket.
        public var device: [UInt8]?

        /// Makes a payload of the fields given.
        public init(proof: [UInt8], device: [UInt8]? = nil) {
            self.proof = proof
            self.device = device
        }
    }

    /// The host's admission of the viewer.
    public struct Admitted: Hashable, Sendable {
        /// The host's proof that it also knows the secret; `nil` after a pairing by code comparison.
        public var proof: [UInt8]?
        /// True if the viewer may control the host.
        public var control: Bool
        /// The ICE servers, at most 16.
        public var iceServers: [ICEServerEntry]

        /// Makes a payload of the fields given.
        public init(proof: [UInt8]?, control: Bool, iceServers: [ICEServerEntry] = []) {
            self.proof = proof
            self.control = control
            self.iceServers = iceServers
        }
    }
}
