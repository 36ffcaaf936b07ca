internal import DequeModule
package import HelioCore
package import HelioProtection
import HelioRTSP

/// The viewer's side of pairing, after which the host admits this device without confirmation by its user.
///
///     .connected --begin--> begun --reveal--> revealed --> comparing --.confirmed(true)--> waiting --> paired
///
/// The host is not trusted before this device's user has confirmed that the codes are the same or, with `Method.code`,
/// before the host has proven that it knows the code, too.
package final class PairingSession: Engine {
    /// The method by which the two ends authenticate each other.
    package enum Method: Sendable {
        /// The users compare the codes that both ends show.
        case compare
        /// The host was started with this code.
        case code(SecretBytes)
    }

    package enum Input: Sendable {
        case connected
        case received([UInt8])
        case disconnected
        /// The answer of this device's user: true if the codes are the same.
        case confirmed(Bool)
    }

    package enum Output: Sendable {
        case send([UInt8])
        case close
        case event(Event)
    }

    package enum Event: Sendable {
        /// The code that the user has to compare with the code that the host shows; `Input.confirmed` answers it.
        case compare(PairingCode)
        case paired(PairingGrant)
        case ended(HelioError)
    }

    private enum State {
        case idle
        case begun
        case revealed
        case comparing
        case waiting
        case challenged
        case proving
        case ended
    }

    private static let machineTime = Duration.seconds(10)
    /// The time limit for both users' answers: the host's limit plus a margin for the network.
    private static let peopleTime = PairingDesk.compareTime + .seconds(5)
    /// The maximum size of a response's body in bytes; a host's responses to pairing are shorter.
    private static let longestBody = 4096

    private let method: Method
    private let uri: String
    private let fingerprint: [UInt8]
    private let name: String
    private let crypto: any CryptoProvider
    private let nonce: [UInt8]
    private let known: PairingRenewal.Known?
    private var parser = RTSPParser(limits: .init(body: PairingSession.longestBody))
    private var state = State.idle
    private var outputs = Deque<Output>()
    private var nextCSeq: UInt32 = 1
    private var evidence: LinkProof?
    private var code: PairingCode?
    private var renewal: PairingRenewal?
    private var answerBy: Instant

    /// - Parameters:
    ///   - name: this device's name for the host's user.
    ///   - certificateFingerprint: the SHA-256 fingerprint of the server certificate of the TLS connection.
    ///   - known: this device's credentials from an earlier pairing with the host of that certificate.
    package init(
        _ method: Method, address: String, name: String, certificateFingerprint: [UInt8],
        known: PairingRenewal.Known? = nil, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable,
        now: Instant
    ) {
        self.method = method
        uri = "rtsps://\(address)/screen"
        self.name = DeviceName.clean(name)
        fingerprint = certificateFingerprint
        self.known = known
        self.crypto = crypto
        var random = random
        nonce = SecretBytes(count: PairingExchange.nonceLength, using: &random).bytes
        answerBy = now + Self.machineTime
    }

    package func poll() -> Output? { outputs.popFirst() }

    package func handle(_ input: consuming Input, now: Instant) {
        guard state != .ended else { return }
        switch input {
        case .connected: begin(now)
        case .received(let bytes): handle(bytes, now)
        case .disconnected:
            switch state {
            case .comparing, .waiting:
                end(
                    HelioError(
                        .refused, "The host has ended the pairing: it was not allowed there, or took too long."))
            default: end(HelioError(.unreachable, "The host closed the connection before the pairing was done."))
            }
        case .confirmed(let isSame):
            guard state == .comparing else { return }
            guard isSame else {
                return end(
                    HelioError(
                        .refused,
                        "Not paired: where the codes differ, somebody may be in between. Nothing was stored.",
                        reason: PairingDesk.Refusal.mismatch.rawValue))
            }
            state = .waiting
            send(.confirm(renewal))
        }
    }

    package func tick(now: Instant) {
        guard state != .ended, state != .idle, now >= answerBy else { return }
        switch state {
        case .comparing, .waiting:
            end(
                HelioError(
                    .refused, "Nobody has allowed the pairing in time: try again with both screens in sight.",
                    reason: PairingDesk.Refusal.timedOut.rawValue))
        default: end(HelioError(.unreachable, "The host did not answer in \(Self.machineTime.components.seconds) s."))
        }
    }

    package var deadline: Deadline? {
        state == .ended || state == .idle ? nil : Deadline(at: answerBy, why: "pairing must go on")
    }

    // MARK: Signalling

    private func begin(_ now: Instant) {
        answerBy = now + Self.machineTime
        switch method {
        case .code:
            state = .challenged
            send(nil)
        case .compare:
            guard let commitment = try? exchange?.commitment(crypto: crypto) else {
                return end(violation("it has shown no certificate"))
            }
            state = .begun
            send(.begin(commitment: commitment, name: name))
        }
    }

    private var exchange: PairingExchange? {
        PairingExchange(binding: fingerprint, viewerName: name, viewerNonce: nonce)
    }

    private func send(_ step: PairingHeader?) {
        var headers: RTSPHeaders = ["CSeq": "\(nextCSeq)", "Accept": "application/sdp"]
        nextCSeq += 1
        if let step { headers.append("Authorization", step.value) }
        outputs.append(.send(RTSPRequest(.describe, uri: uri, headers: headers).serialised()))
    }

    private func handle(_ bytes: [UInt8], _ now: Instant) {
        parser.append(bytes)
        do {
            while state != .ended, let message = try parser.next() {
                guard case .response(let response) = message else {
                    return end(violation("it asks where it has to answer"))
                }
                handle(response, now)
            }
        } catch {
            end(
                HelioError(
                    .protocolViolation, "What answers there is no Heliograph host.", remedy: .checkPort, cause: error))
        }
    }

    private func handle(_ response: RTSPResponse, _ now: Instant) {
        if response.status == .forbidden { return end(Self.refusal(response.headers["Heliograph-Refusal"])) }
        let challenge = response.status == .unauthorized ? response.headers["WWW-Authenticate"] : nil
        let step = challenge.flatMap(PairingHeader.init)
        switch state {
        case .begun: reveal(step)
        case .revealed:
            guard step == .compare, let code else { return end(violation("it does not show the code")) }
            state = .comparing
            answerBy = now + Self.peopleTime
            outputs.append(.event(.compare(code)))
        case .challenged: prove(challenge)
        case .waiting: handle(response)
        case .proving:
            guard let hostProof = response.headers["Heliograph-Proof"].flatMap(HeaderFields.bytes), let evidence,
                (try? evidence.verify(hostProof, by: .host, crypto: crypto)) == true
            else {
                return end(
                    HelioError(
                        .refused, "The host could not prove that it knows the code: do not trust it.",
                        reason: HelioError.impostor))
            }
            handle(response)
        case .comparing, .idle, .ended: end(violation("it answers what was not asked"))
        }
    }

    /// Computes the code and reveals this device's nonce, once the host has sent its own nonce.
    private func reveal(_ step: PairingHeader?) {
        guard case .nonce(let hostNonce) = step else {
            return end(
                HelioError(
                    .unsupported, "The host does not know of pairing.", remedy: .useLink))
        }
        guard let code = try? exchange?.code(hostNonce: hostNonce, crypto: crypto) else {
            return end(violation("its nonce can't be used"))
        }
        state = .revealed
        self.code = code
        renewal = makeRenewal(hostNonce)
        send(.reveal(nonce: nonce))
    }

    private func prove(_ challenge: String?) {
        guard case .code(let secret) = method, let hostNonce = challenge.flatMap(ProofHeader.nonce(inChallenge:)),
            let evidence = LinkProof(
                secret: secret, binding: fingerprint, clientNonce: nonce, hostNonce: hostNonce),
            let proof = try? evidence.proof(by: .viewer, crypto: crypto)
        else { return end(violation("it does not ask for a proof")) }
        self.evidence = evidence
        state = .proving
        send(.code(nonce: nonce, proof: proof, name: name, makeRenewal(hostNonce)))
    }

    private func makeRenewal(_ hostNonce: [UInt8]) -> PairingRenewal? {
        known?.renewal(binding: fingerprint, viewerNonce: nonce, hostNonce: hostNonce, crypto: crypto)
    }

    private func handle(_ response: RTSPResponse) {
        guard response.status.isSuccess,
            var grant = response.headers[PairingGrant.headerName].flatMap({ PairingGrant($0) })
        else { return end(violation("it answers a pairing with \(response.status)")) }
        grant.rendezvous = response.headers[HostRendezvous.headerName].flatMap { HostRendezvous($0) }
        grant.wake = response.headers[WakeAddresses.headerName].flatMap { WakeAddresses($0) }
        state = .ended
        outputs.append(.event(.paired(grant)))
        outputs.append(.close)
    }

    // MARK: End

    private func end(_ error: HelioError) {
        guard state != .ended else { return }
        state = .ended
        outputs.append(.event(.ended(error)))
        outputs.append(.close)
    }

    private func violation(_ what: String) -> HelioError {
        HelioError(.protocolViolation, "The host does not speak Heliograph's protocol: \(what).")
    }

    private static func refusal(_ name: String?) -> HelioError {
        var remedy: HelioError.Remedy?
        let message: String
        let refusal = name.flatMap(PairingDesk.Refusal.init(rawValue:))
        switch refusal {
        case .off:
            message =
                "The host pairs nobody now: it has no terminal to ask on, or its pairing code was used. Use its link."
            remedy = .pairByCodeFile
        case .busy: message = "The host is pairing with somebody else: try again in a minute."
        case .tooManyTries: message = "The host has seen too many tries: wait a minute, then try again."
        case .tooManyDevices:
            message = "The host knows as many devices as it can."
            remedy = .revokeDevice
        case .wrongCode: message = "The host does not know this code, or it has been used: it pairs one device."
        case .denied: message = "The person at the host has said no."
        case .timedOut: message = "Nobody has allowed the pairing in time: try again with both screens in sight."
        case .mismatch, .malformed, .outOfOrder, nil:
            message = "The host has refused what came in: somebody may be in between. Nothing was stored."
        }
        return HelioError(.refused, message, remedy: remedy, reason: refusal?.rawValue)
    }
}
