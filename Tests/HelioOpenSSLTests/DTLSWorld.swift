import HelioCore
import HelioProtection
import HelioSimulation

/// A client, a server and the network between them, on virtual time.
final class DTLSWorld {
    let a: DTLSEnd
    let b: DTLSEnd
    private var stepper: TwoPeerStepper<DTLSEnd, DTLSEnd>

    init(_ client: DTLSEnd, _ server: DTLSEnd, _ conditions: LinkConditions = .perfect, seed: UInt64 = 1) {
        a = client
        b = server
        stepper = TwoPeerStepper(a: client, b: server, network: SimulatedNetwork(conditions, seed: seed))
    }

    var now: Instant { stepper.now }

    /// True if both ends are connected, to each other.
    var isConnected: Bool {
        guard let client = a.session, let server = b.session else { return false }
        return a.failure == nil && b.failure == nil && client.srtp?.local == server.srtp?.remote
            && client.srtp?.remote == server.srtp?.local && client.cipher == server.cipher
    }

    func run(for duration: Duration) throws { try stepper.run(for: duration) }

    /// Runs everything that is due without advancing the time.
    func settle() throws { try stepper.run(for: .zero) }
}
