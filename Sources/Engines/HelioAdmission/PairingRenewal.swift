package import HelioCore
package import HelioProtection

/// A viewer's proof, while it is being paired, that it is a device which the host knows already: its new pairing takes the
/// old one's place.
///
/// The proof is a `LinkProof` of the old pairing's secret, over the nonces of the new pairing. A viewer gives it only to whom
/// TLS has shown to be that host.
package struct PairingRenewal: Sendable, Equatable {
    package var device: DeviceID
    package var proof: [UInt8]

    package init(device: DeviceID, proof: [UInt8]) {
        self.device = device
        self.proof = proof
    }

    /// What a viewer has from the pairing that is to be renewed.
    package struct Known: Sendable {
        package var device: DeviceID
        package var secret: SecretBytes

        package init(device: DeviceID, secret: SecretBytes) {
            self.device = device
            self.secret = secret
        }

        /// `nil` where a binding or nonce has another length than its own.
        func renewal(
            binding: [UInt8], viewerNonce: [UInt8], hostNonce: [UInt8], crypto: any CryptoProvider
        ) -> PairingRenewal? {
            let evidence = LinkProof(secret: secret, binding: binding, clientNonce: viewerNonce, hostNonce: hostNonce)
            guard let proof = evidence.flatMap({ try? $0.proof(by: .viewer, crypto: crypto) }) else { return nil }
            return PairingRenewal(device: device, proof: proof)
        }
    }

    /// Finds the device among those that the host knows; `nil` where it is none of them, or the proof is wrong.
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
