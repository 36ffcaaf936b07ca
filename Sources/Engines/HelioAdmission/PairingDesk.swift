package import HelioCore
package import HelioProtection

/// The host's side of pairing: makes a device that knows only the host's address a paired device.
///
/// Pairings run one at a time, limited in tries and in time. The viewer commits to a nonce, receives the host's nonce,
/// and reveals its own (`PairingExchange`). Then both ends show a code, and both users have to confirm that the codes
/// are the same.
///
///     begin --> begun --reveal--> comparing --confirm + yes--> paired
///
/// A viewer can instead prove that it knows the code that the host was started with, which is valid for one device.
package struct PairingDesk {
    package struct Settings: Sendable {
        /// True if there is a user at the host to compare codes.
        package var asks: Bool
        /// The code with which one device can pair without a user at the host; `nil` for none.
        package var code: SecretBytes?

        package init(asks: Bool = false, code: SecretBytes? = nil) {
            self.asks = asks
            self.code = code
        }
    }

    /// A reason for refusing to pair. Raw values are used on the wire, in statistics and for the host's user.
    package enum Refusal: String, Error, Sendable, CaseIterable, Hashable {
        case off = "pairing-off"
        case busy = "pairing-busy"
        case tooManyTries = "pairing-too-many-tries"
        case tooManyDevices = "pairing-too-many-devices"
        case malformed = "pairing-malformed"
        case outOfOrder = "pairing-out-of-order"
        /// The revealed nonce does not match the commitment, or the commitment was made for another host.
        case mismatch = "pairing-mismatch"
        case wrongCode = "pairing-wrong-code"
        case denied = "pairing-denied"
        case timedOut = "pairing-timed-out"
    }

    /// A question for the host's user: whether to pair a device, whose code the user has to compare.
    package struct Question: Sendable, Equatable {
        package var connection: ConnectionID
        package var address: String
        /// The device's name as sent by the device, cleaned by `DeviceName`.
        package var name: String
        package var code: PairingCode
    }

    package enum Answer: Sendable, CaseIterable {
        case watch
        case control
        case deny
    }

    /// The time limit for revealing the nonce, which the viewer does without its user.
    package static let revealTime = Duration.seconds(5)
    /// The time limit for the users of both ends to compare codes.
    package static let compareTime = Duration.seconds(60)

    private struct Pairing {
        let connection: ConnectionID
        let address: String
        /// The viewer's name as sent, which is an input of the commitment and the code; users are shown the name
        /// cleaned by `DeviceName`.
        let name: String
        let binding: [UInt8]
        let commitment: [UInt8]
        let hostNonce: [UInt8]
        /// The viewer's nonce; empty until it is revealed.
        var viewerNonce: [UInt8] = []
        var isComparing = false
        var isConfirmed = false
        /// The earlier pairing of the viewer's device, which the new pairing replaces; `nil` if the viewer has not
        /// proven one.
        var renewed: PairedDevice?
        var answer: Answer?
    }

    package private(set) var refusals = DropCounter<Refusal>()

    private let settings: Settings
    private let fingerprint: [UInt8]
    private let crypto: any CryptoProvider
    private var code: SecretBytes?
    private var current: Pairing?
    /// The rate limit of pairing attempts. A pairing by code comparison counts when it begins; a proof of the host's
    /// code counts only if the proof is wrong.
    private var tries = GuessLimiter(burst: 5, refill: 1.0 / 30, overallBurst: 10, overallRefill: 0.1)

    package init(_ settings: Settings, fingerprint: [UInt8], crypto: any CryptoProvider) {
        self.settings = settings
        self.fingerprint = fingerprint
        self.crypto = crypto
        code = settings.code
    }

    /// True if the host has a user who can compare codes.
    package var asks: Bool { settings.asks }
    /// True while a device is being paired.
    package var isBusy: Bool { current != nil }

    package mutating func count(_ refusal: Refusal) { refusals.count(refusal) }

    /// Begins a pairing with a viewer's commitment, and returns the host's nonce.
    ///
    /// - Parameter binding: the bytes that commitment and code are bound to; `nil` for the fingerprint of the host's
    ///   certificate.
    package mutating func begin(
        _ connection: ConnectionID, commitment: [UInt8], name: String, binding: [UInt8]? = nil, from address: String,
        now: Instant, random: inout some RandomNumberGenerator
    ) throws(Refusal) -> [UInt8] {
        guard settings.asks else { throw .off }
        guard let current else {
            guard tries.take(address, now: now) else { throw .tooManyTries }
            let nonce = SecretBytes(count: PairingExchange.nonceLength, using: &random).bytes
            self.current = Pairing(
                connection: connection, address: address, name: name, binding: binding ?? fingerprint,
                commitment: commitment, hostNonce: nonce)
            return nonce
        }
        throw current.connection == connection ? Refusal.outOfOrder : Refusal.busy
    }

    /// Checks the viewer's nonce against the commitment. Returns the question for the host's user.
    package mutating func reveal(_ connection: ConnectionID, nonce: [UInt8]) throws(Refusal) -> Question {
        guard let pairing = current, pairing.connection == connection, !pairing.isComparing else { throw .outOfOrder }
        let exchange = PairingExchange(binding: pairing.binding, viewerName: pairing.name, viewerNonce: nonce)
        guard let exchange, (try? exchange.matches(pairing.commitment, crypto: crypto)) == true,
            let code = try? exchange.code(hostNonce: pairing.hostNonce, crypto: crypto)
        else { throw .mismatch }
        current?.isComparing = true
        current?.viewerNonce = nonce
        return Question(
            connection: connection, address: pairing.address, name: DeviceName.clean(pairing.name), code: code)
    }

    /// Handles a proof that the viewer is a paired device. If the proof is wrong, the viewer is paired as a new device.
    package mutating func renew(
        _ connection: ConnectionID, _ renewal: PairingRenewal, among devices: [DeviceID: PairedDevice]
    ) {
        guard let pairing = current, pairing.connection == connection, pairing.isComparing else { return }
        let renewed = renewal.device(
            among: devices, binding: pairing.binding, viewerNonce: pairing.viewerNonce, hostNonce: pairing.hostNonce,
            crypto: crypto)
        current?.renewed = renewed
    }

    /// Records that the viewer's user has confirmed that the codes are the same. Returns the paired device, or `nil`
    /// while the host's user has not answered.
    package mutating func confirm(
        _ connection: ConnectionID, random: inout some RandomNumberGenerator
    ) throws(Refusal) -> PairedDevice? {
        guard let pairing = current, pairing.connection == connection, pairing.isComparing, !pairing.isConfirmed else {
            throw .outOfOrder
        }
        current?.isConfirmed = true
        return device(&random)
    }

    /// Records the answer of the host's user. Returns the paired device; `nil` while the viewer's user has not
    /// confirmed, or if the pairing has ended.
    package mutating func answer(
        _ connection: ConnectionID, _ answer: Answer, random: inout some RandomNumberGenerator
    ) throws(Refusal) -> PairedDevice? {
        guard let pairing = current, pairing.connection == connection, pairing.isComparing, pairing.answer == nil else {
            return nil
        }
        if answer == .deny { throw .denied }
        current?.answer = answer
        return device(&random)
    }

    /// Makes the paired device, once both users have agreed.
    private mutating func device(_ random: inout some RandomNumberGenerator) -> PairedDevice? {
        guard let pairing = current, pairing.isConfirmed, let answer = pairing.answer, answer != .deny else {
            return nil
        }
        current = nil
        var device = PairedDevice(
            name: DeviceName.clean(pairing.name), allowsControl: answer == .control, using: &random)
        if let renewed = pairing.renewed { device.replace(renewed) }
        return device
    }

    /// Ends a closed connection's pairing, if any, so that another device can be paired. Returns true if the question
    /// to the host's user has to be withdrawn.
    package mutating func release(_ connection: ConnectionID) -> Bool {
        guard let pairing = current, pairing.connection == connection else { return false }
        current = nil
        return pairing.isComparing
    }

    /// Judges a viewer's proof that it knows the host's code. Returns the paired device and the host's own proof. A
    /// correct proof invalidates the code.
    package mutating func judge(
        proof: [UInt8], viewerNonce: [UInt8], hostNonce: [UInt8], name: String, allowsControl: Bool,
        renewal: PairingRenewal? = nil, among devices: [DeviceID: PairedDevice] = [:], from address: String,
        now: Instant, random: inout some RandomNumberGenerator
    ) throws(Refusal) -> (device: PairedDevice, hostProof: [UInt8]) {
        guard let code else { throw .off }
        let evidence = LinkProof(
            secret: code, binding: fingerprint, clientNonce: viewerNonce, hostNonce: hostNonce)
        guard let evidence, (try? evidence.verify(proof, by: .viewer, crypto: crypto)) == true,
            let hostProof = try? evidence.proof(by: .host, crypto: crypto)
        else { throw tries.take(address, now: now) ? .wrongCode : .tooManyTries }
        self.code = nil
        var device = PairedDevice(name: name, allowsControl: allowsControl, using: &random)
        let renewed = renewal?.device(
            among: devices, binding: fingerprint, viewerNonce: viewerNonce, hostNonce: hostNonce, crypto: crypto)
        if let renewed { device.replace(renewed) }
        return (device, hostProof)
    }
}
