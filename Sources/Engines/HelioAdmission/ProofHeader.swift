package import HelioCore

/// The `Heliograph` authentication scheme in RTSP headers: the host's challenge, and the viewer's proof.
///
///     WWW-Authenticate: Heliograph nonce="HEX"                                (host)
///     Authorization: Heliograph nonce="HEX", proof="HEX"                      (viewer with a link's secret)
///     Authorization: Heliograph nonce="HEX", proof="HEX", device="HEX"        (viewer that is paired)
package struct ProofHeader {
    package static let scheme = "Heliograph"

    package var nonce: [UInt8]
    package var proof: [UInt8]
    /// The device whose pairing secret is used in the proof; `nil` if the proof uses a link's secret or a ticket.
    package var device: DeviceID?

    package static func challenge(_ nonce: [UInt8]) -> String {
        HeaderFields.write(scheme, [("nonce", Hexadecimal.text(nonce))])
    }

    package static func nonce(inChallenge value: String) -> [UInt8]? {
        HeaderFields.parse(value, scheme: scheme)?["nonce"].flatMap(bytes)
    }

    package var value: String {
        var fields = [("nonce", Hexadecimal.text(nonce)), ("proof", Hexadecimal.text(proof))]
        if let device { fields.append(("device", Hexadecimal.text(device.bytes))) }
        return HeaderFields.write(Self.scheme, fields)
    }

    package init(nonce: [UInt8], proof: [UInt8], device: DeviceID? = nil) {
        self.nonce = nonce
        self.proof = proof
        self.device = device
    }

    package init?(claim value: String) {
        guard let fields = HeaderFields.parse(value, scheme: Self.scheme),
            let nonce = fields["nonce"].flatMap(Self.bytes), let proof = fields["proof"].flatMap(Self.bytes)
        else { return nil }
        var device: DeviceID?
        if let text = fields["device"] {
            guard let id = Self.bytes(text).flatMap(DeviceID.init) else { return nil }
            device = id
        }
        self.init(nonce: nonce, proof: proof, device: device)
    }

    package static func bytes(_ hex: String) -> [UInt8]? { HeaderFields.bytes(hex) }
}
