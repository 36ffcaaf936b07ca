package import HelioCore
private import HelioOpenSSL
package import HelioProtection
package import HelioSession
package import NIOCore
private import NIOPosix
private import NIOSSL

/// Runs a `PairingSession` over TLS with a host that may be anybody: who it is, is what the pairing finds out.
package enum PairingClient {
    /// What came of a pairing: how to come back, and whom to expect there.
    package struct Result: Sendable {
        package var grant: PairingGrant
        /// SHA-256 of the host's certificate.
        package var fingerprint: [UInt8]
    }

    /// Pairs with the host at this address.
    ///
    /// - Parameters:
    ///   - name: what this device calls itself.
    ///   - confirm: asks the person here whether the host shows the same code.
    package static func pair(
        _ method: PairingSession.Method, host: String, port: UInt16, name: String, on loop: any EventLoop,
        confirm: @escaping @Sendable (PairingCode) async -> Bool
    ) async throws(HelioError) -> Result {
        let tls = try TLSContexts.client()
        do {
            return try await loop.flatSubmit {
                PairingCore(method, host: host, port: port, name: name, on: loop, confirm: confirm).run(tls)
            }.get()
        } catch let error as HelioError {
            throw error
        } catch {
            throw HelioError(
                .unreachable,
                "\(host):\(port) can't be reached (\(error)): is 'heliograph share' running there, and is the port "
                    + "open?",
                cause: error)
        }
    }
}

/// What lives on the loop; kept alive by its connection.
private final class PairingCore {
    private let method: PairingSession.Method
    private let host: String
    private let port: UInt16
    private let name: String
    private let loop: any EventLoop
    private let confirm: @Sendable (PairingCode) async -> Bool
    private let result: EventLoopPromise<PairingClient.Result>
    private var engine: EngineLoop<PairingSession>?
    private var connection: (any Channel)?
    private var asking: Task<Void, Never>?
    private var seenFingerprint: [UInt8] = []

    private static let connectTime: TimeAmount = .seconds(5)

    init(
        _ method: PairingSession.Method, host: String, port: UInt16, name: String, on loop: any EventLoop,
        confirm: @escaping @Sendable (PairingCode) async -> Bool
    ) {
        self.method = method
        self.host = host
        self.port = port
        self.name = name
        self.loop = loop
        self.confirm = confirm
        result = loop.makePromise()
    }

    func run(_ tls: NIOSSLContext) -> EventLoopFuture<PairingClient.Result> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(Self.connectTime)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.prepare(channel, tls) }
            }
            .connect(host: host, port: Int(port))
            .whenFailure { bound.value.result.fail($0) }
        // A host that accepts and then stays silent: the engine's own limits begin with TLS.
        let limit = loop.scheduleTask(in: Self.connectTime + Self.connectTime) {
            if bound.value.engine == nil {
                bound.value.result.fail(
                    HelioError(.unreachable, "The host does not answer: is it 'heliograph share' that listens there?"))
            }
        }
        result.futureResult.whenComplete { _ in
            limit.cancel()
            bound.value.close()
        }
        return result.futureResult
    }

    private func prepare(_ channel: any Channel, _ tls: NIOSSLContext) throws {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let handler = try NIOSSLClientHandler(
            context: tls,
            judge: { seen in
                bound.value.seenFingerprint = seen
                return true
            })
        connection = channel
        try channel.pipeline.syncOperations.addHandlers([
            handler,
            ByteStreamHandler(
                opened: { [self] _ in start() },
                received: { [weak self] bytes in self?.engine?.feed(.received(bytes)) },
                closed: { [self] error in
                    engine?.feed(.disconnected)
                    result.fail(
                        HelioError(
                            .unreachable,
                            "The host at \(host):\(port) closed the connection: is it 'heliograph share'?",
                            cause: error))
                }),
        ])
    }

    private func start() {
        let session = PairingSession(
            method, address: "\(host.contains(":") ? "[\(host)]" : host):\(port)", name: name,
            certificateFingerprint: seenFingerprint, crypto: OpenSSLCrypto(), random: SecureGenerator(),
            now: MonotonicClock.now)
        engine = EngineLoop(session, on: loop, perform: { [unowned self] in perform($0) }, settled: {})
        engine?.feed(.connected)
    }

    private func perform(_ output: PairingSession.Output) {
        switch output {
        case .send(let bytes): connection?.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        case .close: connection?.close(promise: nil)
        case .event(.compare(let code)): ask(code)
        case .event(.paired(let grant)): result.succeed(.init(grant: grant, fingerprint: seenFingerprint))
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
        connection?.close(promise: nil)
    }
}
