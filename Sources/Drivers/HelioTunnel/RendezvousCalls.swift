package import HelioRendezvous
package import HelioRendezvousWire

/// The calls of one connection to a rendezvous, made into a `CallCarrier` each: those of this device, and those that
/// ring it. Lives on the connection's event loop.
///
///     let calls = RendezvousCalls()
///     let connection = RendezvousConnection(place, signer: key, on: loop, onEvent: calls.take)
///     calls.feed = connection.feed
///     calls.isNear = { connection.isNear }
package final class RendezvousCalls {
    /// Hands an input to the connection.
    package var feed: ((RendezvousClient.Input) -> Void)?
    /// Returns true if the rendezvous is on this machine or its networks.
    package var isNear: () -> Bool = { false }
    /// Called with each call that rings this device: `HostTunnels.rung`.
    package var onRung: ((any CallCarrier, RingTag, _ address: String, [TURNEntry]) -> Void)?
    /// Called with all events that are of no single call.
    package var onEvent: ((RendezvousClient.Event) -> Void)?

    private var calls: [CallNumber: NumberedCall] = [:]
    /// The calls that were given to the connection and have no number yet, in order.
    private var dialling: [NumberedCall] = []
    /// The TURN servers of a call that has not rung yet; they come right before it.
    private var lent: (number: CallNumber, entries: [TURNEntry])?

    package init() {}

    /// Makes a call, which can ring a device.
    package func call() -> any CallCarrier { NumberedCall(self) }

    /// Takes an event of the connection.
    package func take(_ event: RendezvousClient.Event) {
        switch event {
        case .dialled(let number, _):
            guard !dialling.isEmpty else { return }
            let call = dialling.removeFirst()
            if call.isOver { feed?(.hangUp(number)) } else { begin(call, number) }
        case .rung(let number, let tag, let address):
            let entries = lent?.number == number ? lent?.entries ?? [] : []
            lent = nil
            guard let onRung else {
                feed?(.hangUp(number, .busy))
                return
            }
            let call = NumberedCall(self)
            begin(call, number)
            onRung(call, tag, address, entries)
        case .turn(let number, let entries, _):
            if let call = calls[number] { call.onEvent?(.turn(entries)) } else { lent = (number, entries) }
        case .ringing(let number): calls[number]?.onEvent?(.ringing)
        case .message(let number, let bytes): calls[number]?.onEvent?(.message(bytes))
        case .data(let number, let bytes): calls[number]?.onEvent?(.data(bytes))
        case .hungUp(let number, let reason):
            guard let call = calls.removeValue(forKey: number) else { return }
            call.isOver = true
            call.onEvent?(.hungUp(reason))
        case .online, .offline, .presence, .refused: onEvent?(event)
        }
    }

    private func begin(_ call: NumberedCall, _ number: CallNumber) {
        call.number = number
        calls[number] = call
    }

    fileprivate func dial(_ call: NumberedCall, _ device: RendezvousID, _ token: RingToken) {
        dialling.append(call)
        feed?(.ring(device, token))
    }

    fileprivate func hangUp(_ number: CallNumber, _ reason: HangUpReason) {
        if calls.removeValue(forKey: number) != nil { feed?(.hangUp(number, reason)) }
    }
}

/// A call with its number on the connection.
private final class NumberedCall: CallCarrier {
    var onEvent: ((CallEvent) -> Void)?
    /// `nil` until the connection has dialled.
    var number: CallNumber?
    var isOver = false
    private weak let calls: RendezvousCalls?

    init(_ calls: RendezvousCalls) {
        self.calls = calls
    }

    var lendsNearServers: Bool { calls?.isNear() ?? false }

    func ring(_ device: RendezvousID, _ token: RingToken) { calls?.dial(self, device, token) }

    func send(_ message: [UInt8]) {
        if let number, !isOver { calls?.feed?(.send(number, message)) }
    }

    func send(data: [UInt8]) {
        if let number, !isOver { calls?.feed?(.data(number, data)) }
    }

    func hangUp(_ reason: HangUpReason) {
        guard !isOver else { return }
        isOver = true
        onEvent = nil
        if let number { calls?.hangUp(number, reason) }
    }
}
