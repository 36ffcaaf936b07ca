package import HelioCore
private import HelioLoop
package import HelioTLS
package import NIOCore
private import NIOPosix

/// An attempt to connect to a host. Used on its event loop only.
protocol HostDialing: AnyObject {
    /// Connects. Called once. The future is done once the connection is established; if that fails, with the error.
    func dial() -> EventLoopFuture<Void>
    /// Gives up, if no connection is established yet: the future of `dial` then fails at once.
    func abandon()
}

/// Receives the connection of a `HostDialer` or `RouteDialer`, on its event loop.
package protocol HostDialerDelegate: AnyObject {
    /// A connection is established. Called once, before the future of `dial` is done.
    func opened(_ answer: HostDialer.Answer)
    func received(_ bytes: [UInt8])
    /// The established connection has ended.
    func closed(_ error: (any Error)?)
}

/// Connects to a host at one of its addresses: it uses the first connection on which the TLS certificate proves the
/// host's identity.
///
/// TCP retransmits a lost SYN after one second, then after two; a new connection attempt notices much sooner that the
/// network is back. The first address is tried every `Reconnection.probeInterval`, the others one after another. A
/// different machine that answers at one of the addresses is ignored (private networks reuse the same addresses). Used
/// on its event loop only.
package final class HostDialer: HostDialing {
    /// The host to connect to.
    package struct Whom: Sendable {
        /// Names or numeric addresses, the most likely first; at least one, except through a tunnel.
        package var addresses: [String]
        package var port: UInt16
        /// The host's certificate; `nil` accepts any host.
        package var certificate: Certificate?

        package init(_ addresses: [String], port: UInt16, certificate: Certificate? = nil) {
            self.addresses = addresses
            self.port = port
            self.certificate = certificate
        }
    }

    /// The certificate that identifies a host.
    package struct Certificate: Sendable {
        /// The SHA-256 of the certificate in DER, 32 bytes.
        package var fingerprint: [UInt8]
        /// Makes the error for an address at which another machine answers.
        package var mismatch: @Sendable (_ address: String) -> HelioError

        package init(_ fingerprint: [UInt8], mismatch: @escaping @Sendable (_ address: String) -> HelioError) {
            self.fingerprint = fingerprint
            self.mismatch = mismatch
        }
    }

    /// The established TLS connection to the host.
    package struct Answer {
        package let channel: any Channel
        /// The host's address to which the connection was made, without the port.
        package let address: String
        /// `address` with the port, as in a URL.
        package let authority: String
        /// The SHA-256 of the host's certificate in DER, 32 bytes.
        package let fingerprint: [UInt8]
    }

    /// The time that a busy host may take for the TLS handshake, on top of `Reconnection.connectTime`.
    static let answerTime: TimeAmount = .seconds(5)

    private struct Place {
        let address: String
        /// The connection on which the host must prove its identity; `nil` if there is none.
        var connection: (any Channel)?
        /// The error that ruled this address out; `nil` while the address may be tried.
        var failure: HelioError?
    }

    private let loop: any EventLoop
    private let whom: Whom
    private let tls: TLSClientContext
    private let delegate: any HostDialerDelegate
    private let answer: EventLoopPromise<Void>
    private let deadline = NIODeadline.now() + TimeAmount(Reconnection.connectTime)

    private var places: [Place]
    /// The index of the address, other than the first, that was tried last.
    private var turn = 0
    private var probes: RepeatedTask?
    private var chosen: (any Channel)?
    private var isOver = false

    /// - Parameter delegate: kept alive until the established connection has ended.
    package init(_ whom: Whom, _ tls: TLSClientContext, on loop: any EventLoop, delegate: any HostDialerDelegate) {
        precondition(!whom.addresses.isEmpty)
        self.loop = loop
        self.whom = whom
        self.tls = tls
        self.delegate = delegate
        answer = loop.makePromise()
        places = whom.addresses.flatMap { LinkLocalZone.places(of: $0) }.map { Place(address: $0) }
    }

    /// Connects. Called once, on the loop. If no address leads to the host, fails with the error about a different
    /// machine at one of the addresses or, if there is no such error, with that of the first address to which this
    /// machine has a network.
    package func dial() -> EventLoopFuture<Void> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let interval = TimeAmount(Reconnection.probeInterval)
        probes = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in bound.value.probe() }
        // A host that accepts and then stays silent must not hang the viewer.
        let limit = loop.scheduleTask(in: TimeAmount(Reconnection.connectTime) + Self.answerTime) {
            bound.value.giveUp(
                HelioError(.unreachable, "The host does not answer.", remedy: .startHost))
        }
        answer.futureResult.whenComplete { _ in
            limit.cancel()
            bound.value.end()
        }
        // The first address is tried at once, the others later if it does not answer.
        ask(0)
        return answer.futureResult
    }

    /// Gives up, if no connection is established yet: the future of `dial` then fails at once.
    package func abandon() { giveUp(HelioError(.ended, "The attempt to connect was given up.")) }

    // MARK: Attempts

    private func probe() {
        guard deadline > .now() else {
            probes?.cancel()
            return
        }
        ask(0)
        askNext()
    }

    /// Tries the next address other than the first.
    private func askNext() {
        for _ in 1..<places.count {
            turn = turn % (places.count - 1) + 1
            if isOpen(turn) { return ask(turn) }
        }
    }

    private func isOpen(_ index: Int) -> Bool { places[index].failure == nil && places[index].connection == nil }

    private func ask(_ index: Int) {
        let left = deadline - .now()
        guard isOpen(index), left > .zero else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(left)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { ThinStream.prepare(channel) }
            }
            .connect(host: places[index].address, port: Int(whom.port))
            .whenComplete { bound.value.connected(index, $0) }
    }

    private func connected(_ index: Int, _ result: Result<any Channel, any Error>) {
        // The connection is not needed: another connection to this address is open, the address is ruled out, or
        // dialling is over.
        guard !isOver, isOpen(index) else {
            if case .success(let channel) = result { channel.close(promise: nil) }
            return
        }
        do {
            let channel = try result.get()
            places[index].connection = channel
            try prepare(channel, index)
        } catch {
            places[index].connection?.close(promise: nil)
            let place = authority(index)
            failed(
                index,
                HelioError(
                    .unreachable, "\(place) can't be reached: \(NetworkFailure.words(error)).",
                    remedy: NetworkFailure.isUnknownName(error) ? .findHost : .startHost, cause: error))
        }
    }

    private func prepare(_ channel: any Channel, _ index: Int) throws {
        let proof = HostProof(whom.certificate)
        let stream = ByteStreamHandler(
            opened: { [self] in stands($0, index, proof) },
            // A connection that was not chosen may still receive data while it is being closed.
            received: { [self] bytes in if isChosen(index) { delegate.received(bytes) } },
            closed: { [self] in
                if isChosen(index) { return delegate.closed($0) }
                failed(index, proof.failure(at: authority(index), $0))
            })
        try proof.prepare(channel, tls, stream)
    }

    // MARK: Results

    private func isChosen(_ index: Int) -> Bool { chosen.map { $0 === places[index].connection } ?? false }

    private func stands(_ channel: any Channel, _ index: Int, _ proof: HostProof) {
        guard !isOver else { return channel.close(promise: nil) }
        chosen = channel
        delegate.opened(
            Answer(
                channel: channel, address: places[index].address, authority: authority(index),
                fingerprint: proof.seen))
        answer.succeed(())
    }

    private func authority(_ index: Int) -> String { Authority.text(places[index].address, port: whom.port) }

    private func failed(_ index: Int, _ error: HelioError) {
        guard !isOver else { return }
        places[index].failure = error
        places[index].connection = nil
        let failures = places.compactMap(\.failure)
        // The error about a different machine at the host's address is more useful than that of an address without an
        // answer, and that one more than an error of this machine's own, such as of IPv6 where there is none.
        guard failures.count < places.count else {
            return giveUp(
                failures.first { $0.code == .refused }
                    ?? failures.first { !($0.cause.map(NetworkFailure.isWithoutNetwork) ?? false) } ?? failures[0])
        }
        askNext()
    }

    private func giveUp(_ error: HelioError) {
        if !isOver { answer.fail(error) }
    }

    private func end() {
        isOver = true
        probes?.cancel()
        for index in places.indices where !isChosen(index) { places[index].connection?.close(promise: nil) }
    }
}
