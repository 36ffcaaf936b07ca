import HelioRendezvous
import HelioRendezvousWire
import HelioTunnel
import NIOCore

/// Two ends of a call that are joined without a rendezvous. Lives on one event loop.
final class JoinedCall {
    final class End: CallCarrier {
        var onEvent: ((CallEvent) -> Void)?
        var lendsNearServers = true
        /// The messages that this end has sent.
        private(set) var sent: [[UInt8]] = []
        private(set) var hungUp: HangUpReason?
        fileprivate weak var call: JoinedCall?

        func ring(_ device: RendezvousID, _ token: RingToken) { call?.ring(token) }

        func send(_ message: [UInt8]) {
            sent.append(message)
            call?.carry(.message(message), from: self)
        }

        func send(data: [UInt8]) { call?.carry(.data(data), from: self) }

        func hangUp(_ reason: HangUpReason) {
            hungUp = reason
            onEvent = nil
            call?.carry(.hungUp(reason), from: self)
            call?.isOver = true
        }
    }

    let ringer = End()
    let host = End()
    private let loop: any EventLoop
    private let rung: (JoinedCall, RingToken) -> Void
    private var isOver = false
    /// What a malicious rendezvous makes of an event on its way, the ringer's or the host's; `nil` passes it on.
    var tamper: ((CallEvent, _ isRingers: Bool) -> [CallEvent]?)?

    /// - Parameter rung: called once the ringer rings.
    init(on loop: any EventLoop, rung: @escaping (JoinedCall, RingToken) -> Void) {
        self.loop = loop
        self.rung = rung
        (ringer.call, host.call) = (self, self)
    }

    private func ring(_ token: RingToken) {
        rung(self, token)
        carry(.ringing, from: host)
    }

    /// Both ends lose the call.
    func cut() {
        guard !isOver else { return }
        isOver = true
        ringer.onEvent?(.hungUp(.lost))
        host.onEvent?(.hungUp(.lost))
    }

    private func carry(_ event: CallEvent, from sender: End) {
        guard !isOver else { return }
        let receiver = sender === ringer ? host : ringer
        for event in tamper?(event, sender === ringer) ?? [event] { deliver(event, to: receiver) }
    }

    /// Delivers an event to an end, whoever has made it.
    func deliver(_ event: CallEvent, to end: End) {
        let receiver = NIOLoopBound(end, eventLoop: loop)
        loop.execute { receiver.value.onEvent?(event) }
    }
}
