package import HelioProtection
package import HelioRemoteWire
package import HelioRendezvous
package import HelioRendezvousWire

/// One end of a call whose messages are sealed end to end. The rendezvous between the ends can't read or change them.
/// Lives on one event loop.
package final class SealedCall {
    package enum Event: Sendable {
        case turn([TURNEntry])
        case ringing
        case message(SignalingMessage)
        /// A datagram of a link, which the link bundle authenticates.
        case data([UInt8])
        /// The other end or the rendezvous has ended the call, or the connection to it was lost.
        case hungUp(HangUpReason)
        /// The call was ended here: a message of the other end was not authentic, out of order or malformed.
        case violated
    }

    private let carrier: any CallCarrier
    private var sealer: CallSealer
    /// Called on the loop with each event.
    package var onEvent: ((Event) -> Void)?
    /// Called on the loop with each opened message as it is, in place of `Event.message`: for an owner that judges
    /// malformed messages itself.
    package var onBytes: (([UInt8]) -> Void)?
    /// True until the call has ended, at whichever end.
    package private(set) var isAlive = true
    /// True once this end has said something.
    private(set) var hasSpoken = false

    package init(_ carrier: any CallCarrier, sealer: consuming CallSealer) {
        self.carrier = carrier
        self.sealer = sealer
        carrier.onEvent = { [weak self] in self?.take($0) }
    }

    /// The ringer's nonce, for the host's `ReplayGuard`.
    package var ringerNonce: [UInt8]? { sealer.ringerNonce }
    /// The secret of the session's links; `nil` until the other end's first message has been opened.
    package var linkSecret: SecretBytes? { sealer.linkSecret() }

    /// True if the TURN servers of the call may be on this machine or its networks.
    var lendsNearServers: Bool { carrier.lendsNearServers }

    package func ring(_ device: RendezvousID, _ token: RingToken) { carrier.ring(device, token) }

    package func send(_ message: SignalingMessage) { send(message.serialised()) }

    /// Sends a serialised message.
    package func send(_ message: [UInt8]) {
        guard isAlive else { return }
        hasSpoken = true
        do {
            carrier.send(try sealer.seal(message))
        } catch {
            fail()
        }
    }

    package func send(data: [UInt8]) {
        if isAlive { carrier.send(data: data) }
    }

    /// Ends the call; no event follows.
    package func hangUp(_ reason: HangUpReason) {
        guard isAlive else { return }
        isAlive = false
        onEvent = nil
        onBytes = nil
        carrier.hangUp(reason)
    }

    private func take(_ event: CallEvent) {
        guard isAlive else { return }
        switch event {
        case .turn(let entries): onEvent?(.turn(entries))
        case .ringing: onEvent?(.ringing)
        case .message(let envelope): open(envelope)
        case .data(let bytes): onEvent?(.data(bytes))
        case .hungUp(let reason):
            isAlive = false
            onEvent?(.hungUp(reason))
        }
    }

    private func open(_ envelope: [UInt8]) {
        let message: SignalingMessage
        do {
            let bytes = try sealer.open(envelope)
            if let onBytes { return onBytes(bytes) }
            message = try SignalingMessage(parsing: bytes.span.bytes)
        } catch {
            return fail()
        }
        onEvent?(.message(message))
    }

    private func fail() {
        isAlive = false
        carrier.hangUp(.protocolError)
        onEvent?(.violated)
    }
}
