import HelioAdmission
import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioSession
import HelioSimulation

/// A host and a viewer that pair, connected only by this object: tests can inspect and change each message.
final class PairingWorld {
    let host: SourceHost
    let viewer: PairingSession
    let connection: ConnectionID
    let address: String
    var now: Instant

    /// Rewrites the viewer's messages in transit.
    var toHost: (String) -> [String] = { [$0] }
    var toViewer: (String) -> [String] = { [$0] }

    private(set) var question: PairingDesk.Question?
    /// The code that the viewer shows.
    private(set) var shown: PairingCode?
    private(set) var grant: PairingGrant?
    private(set) var paired: PairedDevice?
    private(set) var ended: HelioError?
    private(set) var refusals: [PairingDesk.Refusal] = []
    private(set) var isOver = false
    private(set) var isClosed = false

    /// - Parameters:
    ///   - fingerprint: of the certificate that the viewer saw; that of the host is all nines.
    ///   - known: the viewer's data of an earlier pairing with the host.
    init(
        _ host: SourceHost? = nil, method: PairingSession.Method = .compare, connection: UInt64 = 1,
        address: String = "10.0.0.2", name: String = "laptop", fingerprint: UInt8 = 9,
        known: PairingRenewal.Known? = nil, seed: UInt64 = 1, now: Instant = .zero
    ) {
        self.host = host ?? Self.makeHost(seed: seed)
        self.connection = ConnectionID(connection)
        self.address = address
        self.now = now
        viewer = PairingSession(
            method, address: "10.0.0.1:7236", name: name,
            certificateFingerprint: Array(repeating: fingerprint, count: 32), known: known, crypto: OpenSSLCrypto(),
            random: SeededGenerator(seed: seed &+ 1000 &+ connection), now: now)
    }

    static func makeHost(
        seed: UInt64 = 1, pairing: PairingDesk.Settings = .init(asks: true), fingerprint: UInt8 = 9,
        rendezvous: HostRendezvous? = nil, wake: WakeAddresses? = nil
    ) -> SourceHost {
        var settings = SourceHost.Settings(format: .test, allowsControl: true, pairing: pairing, name: "tower")
        settings.rendezvous = rendezvous
        settings.wake = wake
        let host = SourceHost(
            settings,
            fingerprint: Array(repeating: fingerprint, count: 32), crypto: OpenSSLCrypto(),
            random: SeededGenerator(seed: seed), now: .zero)
        host.setPorts(media: 7236, control: 7237)
        return host
    }

    /// Connects and runs until one end waits for a person.
    func start() {
        host.handle(.connected(connection, address: address), now: now)
        viewer.handle(.connected, now: now)
        pump()
    }

    func answer(_ answer: PairingDesk.Answer) {
        host.handle(.answerPairing(connection, answer), now: now)
        pump()
    }

    func confirm(_ isSame: Bool = true) {
        viewer.handle(.confirmed(isSame), now: now)
        pump()
    }

    func disconnect() {
        host.handle(.disconnected(connection), now: now)
        viewer.handle(.disconnected, now: now)
        pump()
    }

    func pass(_ duration: Duration) {
        now = now + duration
        host.tick(now: now)
        viewer.tick(now: now)
        pump()
    }

    /// Sends a forged message with this `Authorization` header.
    func inject(_ authorization: String) {
        let request = "DESCRIBE rtsps://h/screen RTSP/1.0\r\nCSeq: 9\r\nAuthorization: \(authorization)\r\n\r\n"
        host.handle(.received(connection, Array(request.utf8)), now: now)
        pump()
    }

    /// Delivers the waiting messages until there are none.
    func pump() {
        var isBusy = true
        while isBusy {
            isBusy = false
            while let output = viewer.poll() {
                isBusy = true
                switch output {
                case .send(let bytes):
                    for message in toHost(String(decoding: bytes, as: UTF8.self)) {
                        host.handle(.received(connection, Array(message.utf8)), now: now)
                    }
                case .close: host.handle(.disconnected(connection), now: now)
                case .event(.compare(let code)): shown = code
                case .event(.paired(let grant)): self.grant = grant
                case .event(.ended(let error)): ended = error
                }
            }
            while let output = host.poll() {
                isBusy = true
                take(output)
            }
        }
    }

    private func take(_ output: SourceHost.Output) {
        switch output {
        case .send(connection, let bytes):
            host.handle(.written(connection, bytes.count), now: now)
            for message in toViewer(String(decoding: bytes, as: UTF8.self)) {
                viewer.handle(.received(Array(message.utf8)), now: now)
            }
        case .close(connection):
            isClosed = true
            viewer.handle(.disconnected, now: now)
            host.handle(.disconnected(connection), now: now)
        case .event(.pairingAsked(let question)) where question.connection == connection: self.question = question
        case .event(.pairingOver(connection)): isOver = true
        case .event(.paired(let device, address)): paired = device
        case .event(.pairingRefused(address, let refusal)): refusals.append(refusal)
        default: break
        }
    }
}
