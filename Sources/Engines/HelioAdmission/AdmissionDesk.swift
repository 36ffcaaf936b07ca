package import HelioCore
package import HelioProtection

/// Decides which viewers are admitted. It holds the link's one-time secret, the tickets with which admitted viewers
/// reconnect, and the paired devices, and limits the rate of guesses.
///
/// A secret is never sent. The viewer proves that it knows a secret (`LinkProof`), bound to both nonces and to the
/// host's certificate. The host sends the corresponding proof, so that a typed code authenticates the host, too. All
/// kinds of viewers use the same secrets, but a browser's proof has a different binding (`WebBinding`) and is invalid
/// elsewhere.
package struct AdmissionDesk {
    /// The outcome of judging one proof.
    package enum Verdict: Sendable {
        /// Admitted. `hostProof` is sent to the viewer. `ticket` is the secret with which the viewer may reconnect
        /// until the host ends, or until the ticket expires (`leaves`). `ticketUsed` is the ticket that the viewer
        /// presented; `nil` if it used the link's secret.
        case admitted(hostProof: [UInt8], ticket: SecretBytes, ticketUsed: SecretBytes?)
        /// Admitted as a paired device. The device gets no ticket: it reconnects by its pairing, which can be revoked.
        case known(PairedDevice, hostProof: [UInt8])
        case refused(Refusal)
    }

    /// A reason for refusing a viewer; the raw value is for statistics and for the host's user.
    package enum Refusal: String, Sendable, CaseIterable, Hashable {
        case wrongProof = "wrong-proof"
        case linkUsed = "link-used"
        case unknownDevice = "unknown-device"
        case tooManyTries = "too-many-tries"
        /// The other end does not agree to the cipher suite that one end requires.
        case suiteRequired = "suite-required"
        /// The two ends chose the same cipher suite, but have different keys for it.
        case suiteKeyDiffers = "suite-key-differs"
        /// A browser's SDP offer names a different certificate than its proof.
        case otherCertificate = "other-certificate"
        /// A paired device has come outside its hours.
        case outsideHours = "outside-hours"
        /// A viewer has come by a link to a host that admits only paired devices.
        case pairedOnly = "paired-only"
    }

    package static let nonceBytes = 16
    static let ticketBytes = 16
    static let ticketLimit = 64
    static let spentLimit = 16
    /// The time for which a browser's tickets stay valid after the browser has left. It is short because pages of the
    /// same origin can read stored tickets, and because in another network the host's address may belong to another
    /// machine.
    package static let placeTime = Duration.seconds(600)

    private struct Ticket {
        let secret: SecretBytes
        /// The time at which the ticket expires; `nil` while its viewer is connected, and for viewers other than
        /// browsers.
        var end: Instant?
    }

    /// The one-time secret of the link that is valid now.
    package private(set) var secret: SecretBytes
    package private(set) var refusals = DropCounter<Refusal>()
    /// The paired devices, which are admitted without confirmation by the host's user.
    package private(set) var devices: [DeviceID: PairedDevice] = [:]
    /// The time of day at the host, for devices that may come at certain hours; `nil` if it is unknown, and such
    /// devices are refused.
    package var time: TimeOfDay?
    /// False if viewers with a link are refused, so that only paired devices are admitted.
    private let admitsLinks: Bool
    /// The visitors among the paired devices (`PairedDevice.isVisitor`), oldest first.
    private var visitors: [DeviceID] = []

    private let fingerprint: [UInt8]
    private let crypto: any CryptoProvider
    private var tickets: [Ticket] = []
    private var spent: [SecretBytes] = []
    private var guesses = GuessLimiter()

    /// - Parameters:
    ///   - fingerprint: SHA-256 of the host's certificate.
    ///   - admitsLinks: false to admit only paired devices.
    ///   - random: a cryptographically secure generator, from which all secrets are drawn; seeded in tests.
    package init(
        fingerprint: [UInt8], crypto: any CryptoProvider, admitsLinks: Bool = true,
        random: inout some RandomNumberGenerator
    ) {
        self.admitsLinks = admitsLinks
        self.fingerprint = fingerprint
        self.crypto = crypto
        secret = SecretBytes(count: ShareLink.secretBytes, using: &random)
    }

    /// True if another device that is not a visitor can be paired.
    package var hasRoom: Bool { devices.count - visitors.count < PairedDevice.limit }

    /// Replaces the paired devices. Devices beyond `PairedDevice.limit`, and the oldest visitors beyond `visitorLimit`,
    /// are left out.
    package mutating func setDevices(_ list: [PairedDevice]) {
        devices = [:]
        visitors = []
        for device in list.filter({ !$0.isVisitor }).prefix(PairedDevice.limit) { add(device) }
        for device in list where device.isVisitor { add(device) }
    }

    /// Returns whether a paired device may be here at the present time of day.
    package func isWithinHours(_ device: PairedDevice) -> Bool { device.mayCome(at: time) }

    /// Counts a refusal made before a proof was received.
    package mutating func count(_ refusal: Refusal) { refusals.count(refusal) }

    package mutating func add(_ device: PairedDevice) {
        if let earlier = device.replaces { devices[earlier] = nil }
        devices[device.id] = device
        guard device.isVisitor else { return }
        if visitors.count == PairedDevice.visitorLimit { devices[visitors.removeFirst()] = nil }
        visitors.append(device.id)
    }

    /// Judges the proof of a viewer that claims to be a paired device.
    ///
    /// - Parameter binding: the bytes that bind the proof to the connection; `nil` for the fingerprint of the host's
    ///   certificate.
    package mutating func judge(
        _ id: DeviceID, proof: [UInt8], binding: [UInt8]? = nil, clientNonce: [UInt8], hostNonce: [UInt8],
        from address: String, now: Instant
    ) -> Verdict {
        let claim = Claim(
            proof: proof, binding: binding ?? fingerprint, clientNonce: clientNonce, hostNonce: hostNonce)
        // Accept a visitor only with a binding: visitors are browsers, whose proofs always have one.
        let named = devices[id].flatMap { binding != nil || !$0.isVisitor ? $0 : nil }
        guard let device = named, knows(device.secret, claim),
            let hostProof = evidence(device.secret, claim).flatMap({ try? $0.proof(by: .host, crypto: crypto) })
        else { return refuse(named == nil ? .unknownDevice : .wrongProof, address, now: now) }
        // The hours are checked after the proof, so that a stranger learns nothing of them; this costs no try.
        guard isWithinHours(device) else {
            refusals.count(.outsideHours)
            return .refused(.outsideHours)
        }
        return .known(device, hostProof: hostProof)
    }

    /// Judges the proof of a viewer with the link's secret or a ticket. Once the link's secret has admitted a viewer, a
    /// new secret replaces it. A used ticket stays valid until it is retired, as the viewer may lose its connection
    /// before it has received the next ticket.
    ///
    /// - Parameter binding: the bytes that bind the proof to the connection; `nil` for the fingerprint of the host's
    ///   certificate.
    package mutating func judge(
        proof: [UInt8], binding: [UInt8]? = nil, clientNonce: [UInt8], hostNonce: [UInt8], from address: String,
        now: Instant, random: inout some RandomNumberGenerator
    ) -> Verdict {
        guard admitsLinks else { return refuse(.pairedOnly, address, now: now) }
        let claim = Claim(
            proof: proof, binding: binding ?? fingerprint, clientNonce: clientNonce, hostNonce: hostNonce)
        let usedLink = knows(secret, claim)
        tickets.removeAll { $0.end.map { $0 <= now } ?? false }
        guard let known = usedLink ? secret : tickets.first(where: { knows($0.secret, claim) })?.secret,
            let hostProof = evidence(known, claim).flatMap({ try? $0.proof(by: .host, crypto: crypto) })
        else { return refuse(spent.contains { knows($0, claim) } ? .linkUsed : .wrongProof, address, now: now) }
        if usedLink { replaceSecret(&random) } else { retire(known) }
        let ticket = SecretBytes(count: Self.ticketBytes, using: &random)
        // Keep the used ticket as one of the newest, so that frequent reconnects do not evict it.
        tickets += (usedLink ? [ticket] : [known, ticket]).map { Ticket(secret: $0) }
        tickets.removeFirst(max(0, tickets.count - Self.ticketLimit))
        return .admitted(hostProof: hostProof, ticket: ticket, ticketUsed: usedLink ? nil : known)
    }

    /// Retires a ticket, once the viewer that presented it has received its next ticket.
    package mutating func retire(_ ticket: SecretBytes) { tickets.removeAll { $0.secret == ticket } }

    /// Makes a disconnected browser's tickets expire after `placeTime`.
    package mutating func leaves(_ own: [SecretBytes], now: Instant) {
        for index in tickets.indices where own.contains(tickets[index].secret) {
            tickets[index].end = now + Self.placeTime
        }
    }

    private struct Claim {
        package var proof: [UInt8]
        package var binding: [UInt8]
        package var clientNonce: [UInt8]
        package var hostNonce: [UInt8]
    }

    private func evidence(_ secret: SecretBytes, _ claim: Claim) -> LinkProof? {
        LinkProof(
            secret: secret, binding: claim.binding, clientNonce: claim.clientNonce, hostNonce: claim.hostNonce)
    }

    private func knows(_ secret: SecretBytes, _ claim: Claim) -> Bool {
        guard let evidence = evidence(secret, claim) else { return false }
        return (try? evidence.verify(claim.proof, by: .viewer, crypto: crypto)) ?? false
    }

    private mutating func replaceSecret(_ random: inout some RandomNumberGenerator) {
        if spent.count == Self.spentLimit { spent.removeFirst() }
        spent.append(secret)
        secret = SecretBytes(count: ShareLink.secretBytes, using: &random)
    }

    /// Refuses a viewer, and counts the refusal. A wrong proof costs its address one try. If no try is left, the reason
    /// is `tooManyTries`. A correct proof is admitted even without a try left, as secrets of 80 bits or more can't be
    /// guessed.
    private mutating func refuse(_ reason: Refusal, _ address: String, now: Instant) -> Verdict {
        let refusal = guesses.take(address, now: now) ? reason : .tooManyTries
        refusals.count(refusal)
        return .refused(refusal)
    }
}
