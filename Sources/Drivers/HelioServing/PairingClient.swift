package import HelioAdmission
package import HelioCore
internal import HelioGround
internal import HelioLoop
private import HelioOpenSSL
package import HelioProtection
private import HelioTLS
package import NIOCore

/// Runs a `PairingSession` over TLS with a host whose identity is not known yet; the pairing establishes it.
package enum PairingClient {
    /// The result of a pairing: the means to reconnect, and the host's identity.
    package struct Result: Sendable {
        package var grant: PairingGrant
        /// The address that led to the host; through a tunnel, the first of those given, or empty.
        package var address: String
        /// The SHA-256 of the host's certificate.
        package var fingerprint: [UInt8]
    }

    /// Pairs with the host at the first of these addresses that answers, or through a tunnel.
    ///
    /// - Parameters:
    ///   - addresses: with a tunnel, the first is the result's address, which is empty if there is none.
    ///   - route: the tunnel to the host, on the same event loop, which is closed afterwards; `nil` for the addresses.
    ///   - name: this device's name.
    ///   - known: returns this device's data of an earlier pairing with the host that has this certificate fingerprint;
    ///     `nil` if there was none.
    ///   - confirm: asks this device's user whether the host shows the same code.
    package static func pair(
        _ method: PairingSession.Method, addresses: [String], port: UInt16, name: String,
        known: @escaping @Sendable ([UInt8]) -> PairingRenewal.Known?, route: NIOLoopBound<any HostRoute>? = nil,
        on loop: any EventLoop, confirm: @escaping @Sendable (PairingCode) async -> Bool
    ) async throws(HelioError) -> Result {
        let tls = try TLSClientContext()
        return try await loop.flatSubmit {
            PairingCore(method, name: name, known: known, on: loop, confirm: confirm).run(
                .init(addresses, port: port), by: route?.value, tls)
        }.get { error in
            HelioError(.unreachable, "The host can't be reached: \(NetworkFailure.words(error)).", cause: error)
        }
    }
}

/// The pairing's state on its event loop; its connection keeps it alive.
private final class PairingCore: HostDialerDelegate {
    private let method: PairingSession.Method
    private let name: String
    private let known: @Sendable ([UInt8]) -> PairingRenewal.Known?
    private let loop: any EventLoop
    private let confirm: @Sendable (PairingCode) async -> Bool
    private let result: EventLoopPromise<PairingClient.Result>
    private var engine: EngineLoop<PairingSession>?
    private var host: HostDialer.Answer?
    private var asking: Task<Void, Never>?

    init(
        _ method: PairingSession.Method, name: String, known: @escaping @Sendable ([UInt8]) -> PairingRenewal.Known?,
        on loop: any EventLoop, confirm: @escaping @Sendable (PairingCode) async -> Bool
    ) {
        self.method = method
        self.name = name
        self.known = known
        self.loop = loop
        self.confirm = confirm
        result = loop.makePromise()
    }

    func run(
        _ whom: HostDialer.Whom, by route: (any HostRoute)?, _ tls: TLSClientContext
    ) -> EventLoopFuture<PairingClient.Result> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let dialer: any HostDialing =
            if let route {
                RouteDialer(whom, by: route, tls, on: loop, delegate: self)
            } else {
                HostDialer(whom, tls, on: loop, delegate: self)
            }
        dialer.dial().whenFailure { bound.value.result.fail($0) }
        result.futureResult.whenComplete { _ in bound.value.close() }
        return result.futureResult
    }

    func opened(_ answer: HostDialer.Answer) {
        host = answer
        let session = PairingSession(
            method, address: answer.authority, name: name, certificateFingerprint: answer.fingerprint,
            known: known(answer.fingerprint), crypto: OpenSSLCrypto(), random: SecureGenerator(),
            now: MonotonicClock.now)
        engine = EngineLoop(session, on: loop, perform: { [unowned self] in perform($0) }, settled: {})
        engine?.feed(.connected)
    }

    func received(_ bytes: [UInt8]) { engine?.feed(.received(bytes)) }

    func closed(_ error: (any Error)?) {
        engine?.feed(.disconnected)
        result.fail(HelioError(.unreachable, "The host closed the connection.", remedy: .startHost, cause: error))
    }

    private func perform(_ output: PairingSession.Output) {
        switch output {
        case .send(let bytes): host?.channel.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        case .close: host?.channel.close(promise: nil)
        case .event(.compare(let code)): ask(code)
        case .event(.paired(let grant)):
            guard let host else { return }
            result.succeed(.init(grant: grant, address: host.address, fingerprint: host.fingerprint))
        case .event(.ended(let error)): result.fail(error)
        }
    }

    private func ask(_ code: PairingCode) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let (loop, confirm) = (loop, confirm)
        asking = Task {
            let isSame = await confirm(code)
            loop.execute { bound.value.engine?.feed(.confirmed(isSame)) }
        }
    }

    private func close() {
        asking?.cancel()
        engine?.stop()
        host?.channel.close(promise: nil)
    }
}
