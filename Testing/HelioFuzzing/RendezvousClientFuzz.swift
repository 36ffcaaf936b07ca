import HelioCore
import HelioProtection
import HelioRendezvous
import HelioRendezvousWire

/// Fuzzes a client of a rendezvous server with any frames, inputs and times. What it sends must be frames, and a
/// message to the app must belong to a call that the app knows.
package enum RendezvousClientFuzz {
    package static func run(_ bytes: [UInt8]) {
        var run = RendezvousClientRun(registers: (bytes.first ?? 0) & 1 == 0)
        var steps = FuzzSteps(bytes, from: 1)
        while let (what, argument) = steps.next() {
            switch what % 8 {
            case 0: run.feed(.connected)
            case 1: run.feed(.disconnected)
            case 2: run.feed(.received(steps.takeBytes(argument)))
            case 3: run.greet()
            case 4: run.ring()
            case 5: run.feed(.send(CallNumber(UInt32(argument)), steps.takeBytes(argument)))
            case 6: run.feed(.hangUp(CallNumber(UInt32(argument))))
            default: run.pass(.milliseconds(argument * argument))
            }
        }
    }
}

private struct RendezvousClientRun: ~Copyable {
    private static let device = [UInt8](repeating: 7, count: 16)
    private var client: RendezvousClient
    private var now = Instant.zero
    private var calls: Set<CallNumber> = []

    init(registers: Bool) {
        client = RendezvousClient(
            .init(authority: "a:443", registers: registers), signer: ToySigner(), seed: 1, now: .zero)
        pass(.zero)
    }

    mutating func feed(_ input: consuming RendezvousClient.Input) {
        if case .hangUp(let call, _) = input { calls.remove(call) }
        client.handle(input, now: now)
        drain()
    }

    /// Connects and registers.
    mutating func greet() {
        feed(.connected)
        let nonce = [UInt8](repeating: 1, count: RendezvousLimits.nonce)
        feed(.received(ServerFrame.challenge(version: RendezvousLimits.version, nonce: nonce).serialised()))
        guard let device = RendezvousID(Self.device) else { return }
        feed(.received(ServerFrame.registered(device).serialised()))
    }

    mutating func ring() {
        guard let device = RendezvousID(Self.device), let token = RingToken(Self.device) else { return }
        feed(.ring(device, token))
        feed(.watch(device, token))
    }

    mutating func pass(_ time: Duration) {
        now = now + time
        client.tick(now: now)
        drain()
        if let deadline = client.deadline { precondition(deadline.at > now, "a deadline that a tick has not met") }
    }

    private mutating func drain() {
        while let output = client.poll() {
            switch output {
            case .connect, .close: break
            case .send(let bytes):
                precondition((try? ClientFrame.parse(bytes.span.bytes)) != nil, "what was sent is no frame")
            case .event(.dialled(let call, _)), .event(.rung(let call, _, _)): calls.insert(call)
            case .event(.hungUp(let call, _)): precondition(calls.remove(call) != nil, "an unknown call has ended")
            case .event(.message(let call, _)), .event(.data(let call, _)), .event(.ringing(let call)):
                precondition(calls.contains(call), "a message of an unknown call")
            case .event: break
            }
        }
        precondition(client.callCount == calls.count, "calls are kept that the app does not know")
    }
}
