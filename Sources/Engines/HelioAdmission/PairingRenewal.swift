package import HelioCore
package import HelioProtection

/// A viewer's proof during pairing that it is already paired with the host, so that the new pairing replaces the old
/// one.
///
/// The proof is a `LinkProof` with the old pairing's secret, over the nonces of the new pairing. A viewer sends it only
/// to the host with which it was paired, as identified by the TLS certificate.
package struct PairingRenewal: Sendable, Equatable {
    package var device: DeviceID
    package var proof: [UInt8]

    package init(device: DeviceID, proof: [UInt8]) {
        self.device = device
        self.proof = proof
    }

    /// A viewer's credentials from the pairing to be renewed.
    package struct Known: Sendable {
        package var device: DeviceID
        package var secret: SecretBytes

        package init(device: DeviceID, secret: SecretBytes) {
            self.device = device
            self.secret = secret
        }

        /// Makes the renewal; `nil` if the binding or a nonce has the wrong length.
        func renewal(
            binding: [UInt8], viewerNonce: [UInt8], hostNonce: [UInt8], crypto: any CryptoProvider
        ) -> PairingRenewal? {
            let evidence = LinkProof(secret: secret, binding: binding, clientNonce: viewerNonce, hostNonce: hostNonce)
            guard let proof = evidence.flatMap({ try? $0.proof(by: .viewer, crypto: crypto) }) else { return nil }
            return PairingRenewal(device: device, proof: proof)
        }
    }

    /// Returns the paired device that the viewer has proven to be; `nil` if it is unknown, a visitor, or the proof is
    /// wrong.
    func device(
        among devices: [DeviceID: PairedDevice], binding: [UInt8], viewerNonce: [UInt8], hostNonce: [UInt8],
        crypto: any CryptoProvider
    ) -> PairedDevice? {
        guard let known = devices[device], !known.isVisitor,
            let evidence = LinkProof(
                secret: known.secret, binding: binding, clientNonce: viewerNonce, hostNonce: hostNonce),
            (try? evidence.verify(proof, by: .viewer, crypto: crypto)) == true
        else { return nil }
        return known
    }
}
