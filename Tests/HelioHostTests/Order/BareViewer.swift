import HelioCore
import HelioHost
import HelioOpenSSL
import HelioProtection
import HelioRTSP

@testable import HelioSession

/// A client of a host's signalling that can send every message of a viewer in any order.
final class BareViewer {
    private static let crypto = OpenSSLCrypto()
    private static let uri = "rtsps://10.0.0.1:7236/screen"

    let host: SourceHost
    let id: ConnectionID
    private(set) var isClosed = false
    private(set) var events: [SourceHost.Event] = []
    private(set) var ssrc: UInt32?
    private var answers: [RTSPResponse] = []
    private var parser = RTSPParser()
    private var nonce = [UInt8](repeating: 0, count: 16)
    private var sequence = 0

    init(_ host: SourceHost, _ id: UInt64, now: Instant) {
        self.host = host
        self.id = ConnectionID(id)
        // Each has its own address: guesses slow down only their own address.
        host.handle(.connected(self.id, address: "10.1.\(id >> 8 & 255).\(id & 255)"), now: now)
        drain()
    }

    /// Sends a request; returns the response's status code, `nil` without a response.
    func ask(
        _ method: String, _ path: String = "", _ headers: [(String, String)] = [], body: [UInt8] = [], now: Instant
    ) -> Int? {
        sequence += 1
        var all: RTSPHeaders = ["CSeq": "\(sequence)"]
        for (name, value) in headers { all.append(name, value) }
        let request = RTSPRequest(RTSPMethod(rawValue: method), uri: Self.uri + path, headers: all, body: body)
        return say(request.serialised(), now: now)
    }

    func say(_ bytes: [UInt8], now: Instant) -> Int? {
        answers = []
        host.handle(.received(id, bytes), now: now)
        drain()
        guard let answer = answers.last else { return nil }
        if let challenge = answer.headers["WWW-Authenticate"], let start = challenge.firstRange(of: "nonce=\"") {
            nonce = Hexadecimal.bytes(challenge[start.upperBound...].prefix(32))!
        }
        if let transport = answer.headers["Transport"].flatMap(TransportHeader.list)?.first {
            ssrc = transport.others.first { $0.name == "viewer-ssrc" }.flatMap { UInt32($0.value ?? "", radix: 16) }
        }
        return answer.status.code
    }

    func tick(now: Instant) {
        host.tick(now: now)
        drain()
    }

    func disconnect(now: Instant) {
        host.handle(.disconnected(id), now: now)
        drain()
    }

    /// Sends DESCRIBE with a proof over the host's last nonce.
    func prove(_ secret: SecretBytes, now: Instant) -> Int? {
        let mine = [UInt8](repeating: 7, count: 16)
        let evidence = LinkProof(
            secret: secret, binding: NetworkWorld.fingerprint, clientNonce: mine, hostNonce: nonce)
        let proof = (try? evidence?.proof(by: .viewer, crypto: Self.crypto)) ?? []
        let value = "Heliograph nonce=\"\(Hexadecimal.text(mine))\", proof=\"\(Hexadecimal.text(proof))\""
        let takes = StreamCapabilities(sound: [.opus]).headerValue
        return ask("DESCRIBE", "", [("Authorization", value), (StreamCapabilities.headerName, takes)], now: now)
    }

    private func drain() {
        while let output = host.poll() {
            switch output {
            case .send(id, let bytes):
                host.handle(.written(id, bytes.count), now: .zero)
                parser.append(bytes)
                while let message = try? parser.next() {
                    if case .response(let response) = message { answers.append(response) }
                }
            case .close(id): isClosed = true
            case .event(let event): events.append(event)
            default: break
            }
        }
    }
}
