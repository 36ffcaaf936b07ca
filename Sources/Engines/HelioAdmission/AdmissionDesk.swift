package import HelioCore
package import HelioProtection

/// Decides who is admitted: holds the link's one-time secret, the tickets with which admitted viewers come back, and
/// the devices that this host is paired with; limits the rate of guesses.
///
/// A secret is never sent. The viewer proves that it knows one (`LinkProof`), bound to both nonces and to the host's
/// certificate; the host proves the same back, so that a typed code authenticates the host too. Viewers of all kinds
/// use the same secrets: a browser's proof has a binding of its own (`WebBinding`), and is worthless elsewhere.
package struct AdmissionDesk {
    /// The outcome of judging one proof.
    package enum Verdict: Sendable {
        /// Admitted. `hostProof` goes back to the viewer; `ticket` is the secret with which it may come back: until the
        /// host ends, or as long as `leaves` says. `ticketUsed` is the ticket that it came back with; `nil` if it came
        /// by the link.
        case admitted(hostProof: [UInt8], ticket: SecretBytes, ticketUsed: SecretBytes?)
        /// Admitted as a paired device, which comes back only by its pairing, as that can be revoked.
        case known(PairedDevice, hostProof: [UInt8])
        case refused(Refusal)
    }

    /// A reason for refusing admission: its name is for statistics and for the person who shares.
    package enum Refusal: String, Sendable, CaseIterable, Hashable {
        case wrongProof = "wrong-proof"
        case linkUsed = "link-used"
        case unknownDevice = "unknown-device"
        case tooManyTries = "too-many-tries"
        /// One end requires the suite that it has chosen, and the other does not agree.
        case suiteRequired = "suite-required"
        /// Both ends chose the same suite, but have different keys for it.
        case suiteKeyDiffers = "suite-key-differs"
        /// A browser's offer names another certificate than the one in its proof.
        case otherCertificate = "other-certificate"
    }

    package static let nonceBytes = 16
    static let ticketBytes = 16
    static let ticketLimit = 64
    static let spentLimit = 16
    /// How long a browser that has left may come back by its ticket. Browsers keep tickets where pages of the same
    /// address can read them, and on another network another machine may have that address.
    package static let placeTime = Duration.seconds(600)

    private struct Ticket {
        let secret: SecretBytes
        /// When the ticket becomes void; `nil` while its viewer is here, and for viewers other than browsers.
        var end: Instant?
    }

    /// The secret of the next link to hand out.
    package private(set) var secret: SecretBytes
    package private(set) var refusals = DropCounter<Refusal>()
    /// The paired devices, which are admitted without a question to the host's user.
    package private(set) var devices: [DeviceID: PairedDevice] = [:]
    /// The visitors among the paired devices, the oldest first.
    private var visitors: [DeviceID] = []

    private let fingerprint: [UInt8]
    private let crypto: any CryptoProvider
    private var tickets: [Ticket] = []
    private var spent: [SecretBytes] = []
    private var guesses = GuessLimiter()

    /// - Parameters:
    ///   - fingerprint: SHA-256 of the host's certificate.
    ///   - random: the driver's secure generator (a seeded one in tests), here and wherever secrets are made.
    package init(
        fingerprint: [UInt8], crypto: any CryptoProvider, random: inout some RandomNumberGenerator
    ) {
        self.fingerprint = fingerprint
        self.crypto = crypto
        secret = SecretBytes(count: ShareLink.secretBytes, using: &random)
    }

    /// True while there is room for one more paired device that stays.
    package var hasRoom: Bool { devices.count - visitors.count < PairedDevice.limit }

    /// Replaces the paired devices; those past the limits are left out.
    package mutating func setDevices(_ list: [PairedDevice]) {
        devices = [:]
        visitors = []
        for device in list.filter({ !$0.isVisitor }).prefix(PairedDevice.limit) { add(device) }
        for device in list where device.isVisitor { add(device) }
    }

    /// Counts a refusal that happened before there was a proof to judge.
    package mutating func count(_ refusal: Refusal) { refusals.count(refusal) }

    package mutating func add(_ device: PairedDevice) {
        if let earlier = device.replaces { devices[earlier] = nil }
        devices[device.id] = device
        guard device.isVisitor else { return }
        if visitors.count == PairedDevice.visitorLimit { devices[visitors.removeFirst()] = nil }
        visitors.append(device.id)
    }

    /// Judges the proof of a viewer that names the paired device that it is.
    ///
    /// - Parameter binding: the bytes that bind the proof to the connection; `nil` is the host's certificate.
    package mutating func judge(
        _ id: DeviceID, proof: [UInt8], binding: [UInt8]? = nil, clientNonce: [UInt8], hostNonce: [UInt8],
        from address: String, now: Instant
    ) -> Verdict {
        let claim = Claim(
            proof: proof, binding: binding ?? fingerprint, clientNonce: clientNonce, hostNonce: hostNonce)
        // A visitor is paired by a browser's page, whose proofs always have a binding of their own.
        let named = devices[id].flatMap { binding != nil || !$0.isVisitor ? $0 : nil }
        guard let device = named, knows(device.secret, claim),
            let hostProof = evidence(device.secret, claim).flatMap({ try? $0.proof(by: .host, crypto: crypto) })
        else { return refuse(named == nil ? .unknownDevice : .wrongProof, address, now: now) }
        return .known(device, hostProof: hostProof)
    }

    /// Judges one proof. A link admits one viewer: after that there is a new secret. A ticket stays valid until it is
    /// retired, as a network that fails again may keep the next ticket from the viewer.
    ///
    /// - Parameter binding: the bytes that bind the proof to the connection; `nil` is the host's certificate.
    package mutating func judge(
        proof: [UInt8], binding: [UInt8]? = nil, clientNonce: [UInt8], hostNonce: [UInt8], from address: String,
        now: Instant, random: inout some RandomNumberGenerator
    ) -> Verdict {
        let claim = Claim(
            proof: proof, binding: binding ?? fingerprint, clientNonce: clientNonce, hostNonce: hostNonce)
        let usedLink = knows(secret, claim)
        tickets.removeAll { $0.end.map { $0 <= now } ?? false }
        guard let known = usedLink ? secret : tickets.first(where: { knows($0.secret, claim) })?.secret,
            let hostProof = evidence(known, claim).flatMap({ try? $0.proof(by: .host, crypto: crypto) })
        else { return refuse(spent.contains { knows($0, claim) } ? .linkUsed : .wrongProof, address, now: now) }
        if usedLink { replaceSecret(&random) } else { retire(known) }
        let ticket = SecretBytes(count: Self.ticketBytes, using: &random)
        // The ticket in use becomes the newest, so that frequent tries do not evict it.
        tickets += (usedLink ? [ticket] : [known, ticket]).map { Ticket(secret: $0) }
        tickets.removeFirst(max(0, tickets.count - Self.ticketLimit))
        return .admitted(hostProof: hostProof, ticket: ticket, ticketUsed: usedLink ? nil : known)
    }

    /// Retires a ticket: the viewer that came with it has received the next one.
    package mutating func retire(_ ticket: SecretBytes) { tickets.removeAll { $0.secret == ticket } }

    /// Limits the tickets of a browser that has left to `placeTime`: until then it may come back by any of them.
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

    /// Counts a refusal. A wrong proof costs its address a try; without tries left, the answer says only that, and the
    /// connection is closed. A right proof is admitted whatever others have tried: these secrets have 80 bits and more.
    private mutating func refuse(_ reason: Refusal, _ address: String, now: Instant) -> Verdict {
        let refusal = guesses.take(address, now: now) ? reason : .tooManyTries
        refusals.count(refusal)
        return .refused(refusal)
    }
}
