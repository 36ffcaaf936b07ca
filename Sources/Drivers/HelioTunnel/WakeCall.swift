package import HelioCore
internal import HelioOpenSSL
package import HelioProtection
internal import HelioRemoteWire
internal import HelioRendezvous
package import HelioRendezvousWire
package import NIOCore

/// A call that asks a paired host to wake another machine on its network, and ends with the answer. Lives on one event
/// loop, and keeps itself alive while it waits.
package final class WakeCall {
    private let call: SealedCall
    private let device: RendezvousID
    private let token: RingToken
    private let loop: any EventLoop
    private var hasConfirmed = false
    private var promise: EventLoopPromise<Int>?
    private var limit: Scheduled<Void>?

    /// - Parameters:
    ///   - carrier: a call that has not rung yet.
    ///   - device: the host that is asked.
    ///   - secret: that of the pairing with it.
    package init(
        _ carrier: any CallCarrier, to device: RendezvousID, secret: SecretBytes, on loop: any EventLoop
    ) throws(HelioError) {
        let crypto = OpenSSLCrypto()
        var random = SecureGenerator()
        do {
            token = try CallKeys.token(of: secret, for: device, crypto)
            let sealer = try CallSealer(ringing: secret, device: device, crypto: crypto, random: &random)
            call = SealedCall(carrier, sealer: sealer)
        } catch {
            throw HelioError(.systemFailed, "The call to the host can't be encrypted here (\(error)).", cause: error)
        }
        self.device = device
        self.loop = loop
    }

    /// Rings the host, once. The result is the number of networks on which the host has sent packets, 1 or more.
    ///
    /// Fails with `unreachable` if the host is not online or does not answer in time, with `refused` if it wakes nobody
    /// for this device or was asked too often, and with `unsupported` if its version can't wake others.
    ///
    /// - Parameter addresses: those of the machine to be woken, 1 to 4.
    package func ask(for addresses: [HardwareAddress], within time: Duration) -> EventLoopFuture<Int> {
        loop.preconditionInEventLoop()
        guard promise == nil, call.isAlive else {
            return loop.makeFailedFuture(HelioError(.invalidArgument, "A call is made once: make another."))
        }
        let promise = loop.makePromise(of: Int.self)
        self.promise = promise
        call.onEvent = { [self] in take($0, addresses) }
        limit = loop.assumeIsolated().scheduleTask(in: .nanoseconds(time.nanoseconds)) { [self] in
            end(.failure(HelioError(.unreachable, "It has not answered in time.")))
        }
        call.ring(device, token)
        return promise.futureResult
    }

    private func take(_ event: SealedCall.Event, _ addresses: [HardwareAddress]) {
        switch event {
        case .turn, .data: break
        case .ringing: if call.isAlive, !call.hasSpoken { call.send(.wake(addresses)) }
        case .message(.wake(addresses)) where !hasConfirmed:
            // Under keys of both ends' nonces this time, so that nobody can play it to the host again.
            hasConfirmed = true
            call.send(.wake(addresses))
        case .message(.woken(let networks)) where networks > 0: end(.success(networks))
        case .message(.woken): end(.failure(HelioError(.unreachable, "It could send no packet on its network.")))
        case .message, .violated: end(.failure(Self.violation))
        case .hungUp(let reason): end(.failure(Self.error(reason)))
        }
    }

    private func end(_ result: Result<Int, HelioError>) {
        guard let promise else { return }
        self.promise = nil
        limit?.cancel()
        call.hangUp(.ended)
        // A call that the other end has ended keeps its handler, which keeps this alive.
        call.onEvent = nil
        promise.completeWith(result.mapError { $0 as any Error })
    }

    private static var violation: HelioError {
        HelioError(.protocolViolation, "It has answered what was not asked: pair with it again if this persists.")
    }

    private static func error(_ reason: HangUpReason) -> HelioError {
        switch reason {
        case .unreachable: HelioError(.unreachable, "It is not online at its rendezvous server.")
        case .notPermitted:
            HelioError(
                .refused,
                "It wakes nobody for this device, or its rendezvous does not know it yet: pair with it again if this "
                    + "persists.", reason: "not-permitted")
        case .tooFast: HelioError(.refused, "It was asked too often: wait a minute.", reason: "too-fast")
        case .busy, .tooMany: HelioError(.refused, "It takes no further call at present.", reason: "busy")
        case .protocolError:
            HelioError(.unsupported, "Its version of Heliograph can't wake others: update it.")
        case .ended, .lost: HelioError(.unreachable, "The call has ended without an answer.")
        }
    }
}
