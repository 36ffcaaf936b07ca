import HelioCore
import HelioProtection

/// The `Heliograph-Pairing` authentication scheme: the viewer's and the host's messages of a pairing.
///
///     Authorization: Heliograph-Pairing step="begin", commitment="HEX", name="HEX"         (viewer)
///     WWW-Authenticate: Heliograph-Pairing step="nonce", nonce="HEX"                       (host)
///     Authorization: Heliograph-Pairing step="reveal", nonce="HEX"                         (viewer)
///     WWW-Authenticate: Heliograph-Pairing step="compare"                                  (host)
///     Authorization: Heliograph-Pairing step="confirm"                                     (viewer)
///
/// A viewer with the code that the host was started with answers the challenge of `ProofHeader` instead:
///
///     Authorization: Heliograph-Pairing step="code", nonce="HEX", proof="HEX", name="HEX"  (viewer)
///
/// A viewer that is already paired with the host adds `device="HEX", renewal="HEX"` to its last message
/// (`PairingRenewal`).
///
/// Every field except `name`, which is UTF-8, has exactly one valid length.
package enum PairingHeader: Equatable {
    case begin(commitment: [UInt8], name: String)
    case nonce([UInt8])
    case reveal(nonce: [UInt8])
    case compare
    case confirm(PairingRenewal?)
    case code(nonce: [UInt8], proof: [UInt8], name: String, PairingRenewal?)

    package static let scheme = "Heliograph-Pairing"

    /// Returns true if a header uses this scheme, whether or not it is well formed.
    package static func isMeant(by value: String) -> Bool { value.hasPrefix(scheme) }

    package init?(_ value: String) {
        guard let fields = HeaderFields.parse(value, scheme: Self.scheme) else { return nil }
        let nonce = HeaderFields.bytes(fields["nonce"], count: PairingExchange.nonceLength)
        let name = fields["name"].flatMap(HeaderFields.bytes).flatMap(Self.name)
        switch fields["step"] {
        case "begin":
            guard let name,
                let commitment = HeaderFields.bytes(fields["commitment"], count: PairingExchange.commitmentLength)
            else { return nil }
            self = .begin(commitment: commitment, name: name)
        case "nonce":
            guard let nonce else { return nil }
            self = .nonce(nonce)
        case "reveal":
            guard let nonce else { return nil }
            self = .reveal(nonce: nonce)
        case "compare": self = .compare
        case "confirm": self = .confirm(PairingRenewal(fields))
        case "code":
            guard let nonce, let name, let proof = HeaderFields.bytes(fields["proof"], count: LinkProof.length) else {
                return nil
            }
            self = .code(nonce: nonce, proof: proof, name: name, PairingRenewal(fields))
        default: return nil
        }
    }

    package var value: String {
        var fields: [(name: String, value: String)]
        switch self {
        case .begin(let commitment, let name):
            fields = [
                ("step", "begin"), ("commitment", Hexadecimal.text(commitment)),
                ("name", Hexadecimal.text(Array(name.utf8))),
            ]
        case .nonce(let nonce): fields = [("step", "nonce"), ("nonce", Hexadecimal.text(nonce))]
        case .reveal(let nonce): fields = [("step", "reveal"), ("nonce", Hexadecimal.text(nonce))]
        case .compare: fields = [("step", "compare")]
        case .confirm(let renewal): fields = [("step", "confirm")] + (renewal?.fields ?? [])
        case .code(let nonce, let proof, let name, let renewal):
            fields =
                [
                    ("step", "code"), ("nonce", Hexadecimal.text(nonce)), ("proof", Hexadecimal.text(proof)),
                    ("name", Hexadecimal.text(Array(name.utf8))),
                ] + (renewal?.fields ?? [])
        }
        return HeaderFields.write(Self.scheme, fields)
    }

    /// Decodes a name. Returns `nil` unless `DeviceName` leaves the name unchanged, as both ends have to hash the name
    /// that users see.
    package static func name(_ bytes: [UInt8]) -> String? {
        guard let name = String(validating: bytes, as: UTF8.self), DeviceName.clean(name, fallback: "") == name,
            !name.isEmpty
        else { return nil }
        return name
    }
}

extension PairingRenewal {
    /// Parses the fields of a renewal. The result is `nil` if a field is missing or has the wrong length.
    fileprivate init?(_ fields: [String: String]) {
        guard let device = fields["device"].flatMap(HeaderFields.bytes).flatMap(DeviceID.init),
            let proof = HeaderFields.bytes(fields["renewal"], count: LinkProof.length)
        else { return nil }
        self.init(device: device, proof: proof)
    }

    fileprivate var fields: [(name: String, value: String)] {
        [("device", Hexadecimal.text(device.bytes)), ("renewal", Hexadecimal.text(proof))]
    }
}
