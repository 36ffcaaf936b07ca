internal import HelioCore
private import HelioOpenSSL
internal import HelioProtection
internal import HelioRendezvous
internal import HelioRendezvousPort
internal import HelioRendezvousWire
internal import HelioSignaling
internal import HelioTunnel
internal import NIOCore
private import Synchronization

/// The connection of a `SignalingCall` to the host, by a sealed call at a rendezvous server.
///
/// Unchecked, as all that changes is used on the event loop alone, apart from `isAdmitted`.
final class CallingEnd: SignalingConnection, @unchecked Sendable {
    /// The longest time until the host is reached.
    private static let patience: TimeAmount = .seconds(15)

    private static var givenUp: HelioError { HelioError(.ended, "The call was given up.") }

    private enum State {
        case new
        case ringing(EventLoopPromise<Void>)
        case open
        case ended
    }

    let id: UInt64 = 1
    /// The server does not tell the host's address.
    var remoteAddress: String { "" }
    /// True always: messages are sealed between both ends.
    var isSecure: Bool { true }
    private let admission = Atomic(false)
    private let place: RendezvousPlace
    private let device: RendezvousID
    private let token: RingToken
    private let call: SealedCall
    private let calls: RendezvousCalls
    private let loop: any EventLoop
    private var connection: RendezvousConnection?
    private var receiver: (@Sendable (SignalingEvent) -> Void)?
    private var hasBegun = false
    private var state = State.new
    private var limit: Scheduled<Void>?
    /// The reason why the server is not reached; `nil` once it was.
    private var serverFailure: HelioError?

    init(
        _ place: RendezvousPlace, to device: RendezvousID, secret: SecretBytes, on loop: any EventLoop
    ) throws(HelioError) {
        let crypto = OpenSSLCrypto()
        var random = SecureGenerator()
        let calls = RendezvousCalls()
        do {
            token = try CallKeys.token(of: secret, for: device, crypto)
            call = SealedCall(
                calls.call(),
                sealer: try CallSealer(ringing: secret, device: device, crypto: crypto, random: &random))
        } catch {
            throw HelioError(.systemFailed, "The call to the host can't be encrypted here (\(error)).", cause: error)
        }
        self.calls = calls
        self.place = place
        self.device = device
        self.loop = loop
    }

    var isAdmitted: Bool {
        get { admission.load(ordering: .relaxed) }
        set { admission.store(newValue, ordering: .relaxed) }
    }

    /// Rings the host. The result succeeds once it was reached.
    func open(_ receiver: @escaping @Sendable (SignalingEvent) -> Void) -> EventLoopFuture<Void> {
        guard !hasBegun else {
            return loop.makeFailedFuture(HelioError(.invalidArgument, "A call is made once: make another."))
        }
        hasBegun = true
        guard case .new = state else { return loop.makeFailedFuture(Self.givenUp) }
        let promise = loop.makePromise(of: Void.self)
        state = .ringing(promise)
        self.receiver = receiver
        let connection = RendezvousConnection(place, signer: nil, on: loop, onEvent: { [calls] in calls.take($0) })
        self.connection = connection
        calls.feed = { [weak self] in self?.connection?.feed($0) }
        calls.onEvent = { [weak self] in self?.take($0) }
        call.onBytes = { [weak self] in self?.take($0) }
        call.onEvent = { [weak self] in self?.take($0) }
        limit = loop.assumeIsolated().scheduleTask(in: Self.patience) { [weak self] in
            guard let self else { return }
            finish(serverFailure ?? HangUpReason.unreachable.error, .ended)
        }
        connection.start()
        call.ring(device, token)
        return promise.futureResult
    }

    func send(_ message: [UInt8]) {
        guard loop.inEventLoop else { return loop.execute { [self] in send(message) } }
        guard case .open = state else { return }
        call.send(message)
    }

    func close() {
        guard loop.inEventLoop else { return loop.execute { [self] in close() } }
        finish(Self.givenUp, .ended)
    }

    // MARK: Events

    private func take(_ event: RendezvousClient.Event) {
        switch event {
        case .online: serverFailure = nil
        case .refused:
            serverFailure = HelioError(
                .refused, "The rendezvous server refuses this device for now: try again later.")
        case .offline: serverFailure = connection?.failure ?? serverFailure
        default: break
        }
    }

    private func take(_ event: SealedCall.Event) {
        switch event {
        case .ringing:
            guard case .ringing(let promise) = state else { return }
            limit?.cancel()
            state = .open
            receiver?(.opened(self))
            promise.succeed()
        case .hungUp(let reason): finish(reason.error, .ended)
        case .violated: finish(HangUpReason.protocolError.error, .protocolError)
        // The servers lent are for WebRTC, which the app sets up itself; what is no message is for native sessions.
        case .turn, .message, .data: break
        }
    }

    private func take(_ message: [UInt8]) {
        guard case .open = state else { return }
        guard String(validating: message, as: UTF8.self) != nil else {
            return finish(HangUpReason.protocolError.error, .protocolError)
        }
        receiver?(.message(self, message))
    }

    /// Ends the call, and tells: by the result of `open` if the host was not reached, else by an event on a later tick,
    /// as the receiver may be the caller.
    private func finish(_ error: HelioError, _ reason: HangUpReason) {
        let before = state
        if case .ended = before { return }
        state = .ended
        limit?.cancel()
        call.hangUp(reason)
        let receiver = receiver
        self.receiver = nil
        if case .ringing(let promise) = before { promise.fail(error) }
        loop.execute { [self] in
            if case .open = before { receiver?(.closed(self)) }
            // The hanging up goes out before.
            connection?.stop()
            connection = nil
        }
    }
}
