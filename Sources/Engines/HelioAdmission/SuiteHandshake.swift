import HelioCore
package import HelioProtection

/// The handshake by which both ends of a connection agree on a cipher suite. Each end sends its choice, and proves that
/// it has the fleet's secret.
///
/// A proof is a `LinkProof` with a key of the suite's key schedule. It is bound to the certificate, both nonces, the
/// role and the complete choice, so it can't be replayed in another context, and reveals nothing about the secret.
package struct SuiteHandshake {
    private let options: SuiteOptions?
    private let fingerprint: [UInt8]
    private let clientNonce: [UInt8]
    private let hostNonce: [UInt8]
    private let crypto: any CryptoProvider

    /// - Parameter options: this end's choice and secret; `nil` for no suite.
    package init(
        _ options: SuiteOptions?, certificateFingerprint: [UInt8], clientNonce: [UInt8], hostNonce: [UInt8],
        crypto: any CryptoProvider
    ) {
        self.options = options
        fingerprint = certificateFingerprint
        self.clientNonce = clientNonce
        self.hostNonce = hostNonce
        self.crypto = crypto
    }

    /// A reason for ending the session.
    package enum Refusal: Error, Equatable {
        case malformed
        case suiteRequired(reason: String)
        /// Both ends have the same suite, but different secrets.
        case keyDiffers
        /// The cryptography library failed.
        case failed
    }

    package struct Outcome {
        package var agreement: SuiteAgreement
        /// The agreed suite; `nil` if it is off.
        package var suite: AgreedSuite?
        /// The value of the header in the host's answer; `nil` at the viewer, and if the suite is off.
        package var answer: String?
    }

    /// Makes the value of the viewer's header; `nil` if the viewer chose no suite. Throws `failed` if the proof can't
    /// be made.
    package func offer() throws(Refusal) -> String? {
        guard let options else { return nil }
        return SuiteHeader(.offer, options.choice, proof: try proof(by: .viewer, .offer, options.choice)).value
    }

    /// Judges a viewer's header at the host. Throws the reason if the session has to be refused.
    package func judge(_ header: String?, vectorSeed: SecretBytes) throws(Refusal) -> Outcome {
        let offer = header.map { SuiteHeader(.offer, value: $0) }
        // Refuse a malformed header.
        if case .some(.none) = offer { throw .malformed }
        let viewer = offer ?? nil
        let agreement = SuiteAgreement(host: options?.choice, viewer: viewer?.choice)
        switch agreement {
        case .refused(let reason): throw .suiteRequired(reason: reason)
        case .off: return Outcome(agreement: agreement)
        case .on(let suite, let scope, let masksKeys):
            guard let viewer else { throw .failed }
            try verify(viewer.proof, by: .viewer, .offer, viewer.choice)
            let choice = SuiteChoice(suite, scope: scope, masksKeys: masksKeys)
            let answer = SuiteHeader(.on, choice, proof: try proof(by: .host, .on, choice)).value
            return Outcome(
                agreement: agreement, suite: try agreed(scope, masksKeys, vectorSeed: vectorSeed), answer: answer)
        }
    }

    /// Judges the host's answer at the viewer; without an answer, the suite is off. Throws the reason if the session
    /// has to be ended.
    package func confirm(_ answer: String?, vectorSeed: SecretBytes) throws(Refusal) -> Outcome {
        guard let options else {
            guard answer == nil else { throw .malformed }
            return Outcome(agreement: .off(reason: nil))
        }
        guard let answer else {
            let reason = "the host did not choose it, or for other media"
            if options.choice.isRequired { throw .suiteRequired(reason: reason) }
            return Outcome(agreement: .off(reason: reason))
        }
        guard let host = SuiteHeader(.on, value: answer) else { throw .malformed }
        // Refuse an answer that is not within the viewer's offer.
        let agreement = SuiteAgreement(host: host.choice, viewer: options.choice)
        guard case .on(_, let scope, let masksKeys) = agreement, scope == host.choice.scope,
            masksKeys == host.choice.masksKeys
        else { throw .malformed }
        try verify(host.proof, by: .host, .on, host.choice)
        return Outcome(agreement: agreement, suite: try agreed(scope, masksKeys, vectorSeed: vectorSeed))
    }

    // MARK: Proofs

    private func proof(
        by role: LinkProof.Role, _ step: SuiteHeader.Step, _ choice: SuiteChoice
    ) throws(Refusal) -> [UInt8] {
        guard let evidence = evidence(step, choice), let proof = try? evidence.proof(by: role, crypto: crypto) else {
            throw .failed
        }
        return proof
    }

    private func verify(
        _ proof: [UInt8], by role: LinkProof.Role, _ step: SuiteHeader.Step, _ choice: SuiteChoice
    ) throws(Refusal) {
        guard let evidence = evidence(step, choice) else { throw .failed }
        guard (try? evidence.verify(proof, by: role, crypto: crypto)) == true else { throw .keyDiffers }
    }

    private func evidence(_ step: SuiteHeader.Step, _ choice: SuiteChoice) -> LinkProof? {
        guard let key = try? schedule?.proofKey(saying: SuiteHeader.statement(step, choice), crypto: crypto) else {
            return nil
        }
        return LinkProof(
            secret: key, binding: fingerprint, clientNonce: clientNonce, hostNonce: hostNonce)
    }

    private var schedule: SuiteKeySchedule? {
        options.flatMap { try? SuiteKeySchedule($0.choice.suite, $0.secret, crypto: crypto) }
    }

    private func agreed(
        _ scope: SuiteScope, _ masksKeys: Bool, vectorSeed: SecretBytes
    ) throws(Refusal) -> AgreedSuite {
        guard let schedule else { throw .failed }
        return AgreedSuite(
            schedule, scope: scope, masksKeys: masksKeys, nonces: clientNonce + hostNonce, vectorSeed: vectorSeed)
    }
}
