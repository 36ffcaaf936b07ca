import HelioCore
import HelioProtection
import HelioRendezvous
import HelioRendezvousWire

/// Fuzzes two instances of a rendezvous server on a bus with any frames, messages of the bus and times. What they send
/// must be frames, to connections that are open; and nothing may be left of connections that have closed.
package enum RendezvousServerFuzz {
    package static func run(_ bytes: [UInt8]) {
        var run = RendezvousServerRun()
        var steps = FuzzSteps(bytes)
        while let (what, argument) = steps.next() {
            // The low bit selects the instance.
            let index = argument & 1
            switch what % 10 {
            case 0: run.open(index, from: argument)
            case 1: run.close(index, argument)
            case 2: run.receive(index, argument, steps.takeBytes(argument))
            case 3: run.register(index, argument)
            case 4: run.ring(index, argument)
            case 5: run.say(index, argument)
            case 6: run.servers(index, .bus(BusMessage(steps.takeBytes(argument))))
            case 7: run.servers(index, .waiting(ConnectionID(UInt64(argument >> 1)), bytes: argument * 10_000))
            case 8: run.carriesBus.toggle()
            default: run.pass(.milliseconds(argument * 50))
            }
        }
        run.finish()
    }
}

private struct RendezvousServerRun: ~Copyable {
    private static let names = (0..<2).map { InstanceID([UInt8](repeating: UInt8($0), count: 16)) }
    private static let token = RingToken([UInt8](repeating: 3, count: 16))

    private var first = Self.server(0)
    private var second = Self.server(1)
    private var connected: [Set<ConnectionID>] = [[], []]
    private var now = Instant.zero
    /// False while the bus loses everything.
    var carriesBus = true

    private static func server(_ index: Int) -> RendezvousServer {
        var settings = RendezvousServer.Settings()
        settings.instance = names[index]
        settings.callsOfDevice = 3
        settings.ringsOfAddress = .init(burst: 20, perSecond: 5)
        return RendezvousServer(
            settings, verifier: ToyVerifier(), crypto: ToyCrypto(), random: SeededGenerator(seed: 1), now: .zero)
    }

    mutating func open(_ index: Int, from argument: Int) {
        let id = ConnectionID(UInt64(argument >> 1))
        guard connected[index].insert(id).inserted else { return }
        servers(index, .opened(id, .v4(UInt32(argument & 6)), authority: "a:443"))
    }

    mutating func close(_ index: Int, _ argument: Int) {
        let id = ConnectionID(UInt64(argument >> 1))
        connected[index].remove(id)
        servers(index, .closed(id))
    }

    mutating func receive(_ index: Int, _ argument: Int, _ bytes: [UInt8]) {
        servers(index, .received(ConnectionID(UInt64(argument >> 1)), bytes))
    }

    /// Registers a device, one of four, which permits everybody to ring it.
    mutating func register(_ index: Int, _ argument: Int) {
        let signer = ToySigner(number: UInt8(argument >> 1 & 3))
        guard let signature = try? signer.sign([]), let token = Self.token,
            let tag = try? CallKeys.tag(of: token, ToyCrypto())
        else { return }
        receive(index, argument, ClientFrame.register(publicKey: signer.publicKey, signature: signature).serialised())
        receive(index, argument, ClientFrame.permit([Permit(tag: tag, seconds: 5)]).serialised())
    }

    mutating func ring(_ index: Int, _ argument: Int) {
        let signer = ToySigner(number: UInt8(argument >> 4 & 3))
        guard let device = try? CallKeys.device(of: signer.publicKey, ToyCrypto()), let token = Self.token else {
            return
        }
        receive(index, argument, ClientFrame.ring(CallNumber(UInt32(argument >> 6)), device, token).serialised())
        receive(index, argument, ClientFrame.watch(device, token).serialised())
    }

    /// Sends a message, a datagram and perhaps an end of a call that the ringer or the server has numbered.
    mutating func say(_ index: Int, _ argument: Int) {
        for number in [UInt32(argument >> 6), CallNumber.serversBit | UInt32(argument >> 6)].map({ CallNumber($0) }) {
            receive(index, argument, ClientFrame.message(number, [1]).serialised())
            receive(index, argument, ClientFrame.data(number, [2]).serialised())
            if argument & 32 != 0 { receive(index, argument, ClientFrame.hangUp(number, .busy).serialised()) }
        }
    }

    mutating func servers(_ index: Int, _ input: RendezvousServer.Input) {
        if index == 0 { first.handle(input, now: now) } else { second.handle(input, now: now) }
        settle()
    }

    mutating func pass(_ time: Duration) {
        now = now + time
        first.tick(now: now)
        second.tick(now: now)
        settle()
    }

    /// Closes everything: no connection, device or call may be left.
    mutating func finish() {
        for index in 0..<2 { for id in connected[index] { servers(index, .closed(id)) } }
        carriesBus = true
        // What the bus has lost ends by time.
        for _ in 0..<10 { pass(.seconds(1)) }
        for statistics in [first.statistics, second.statistics] {
            precondition(statistics.connections == 0 && statistics.registered == 0, "a closed connection is left")
            precondition(statistics.calls == 0, "a call without an end here is left")
        }
    }

    private mutating func settle() {
        while true {
            if let output = first.poll() {
                perform(output, at: 0)
            } else if let output = second.poll() {
                perform(output, at: 1)
            } else {
                return
            }
        }
    }

    private mutating func perform(_ output: RendezvousServer.Output, at index: Int) {
        switch output {
        case .send(let id, let bytes):
            precondition(connected[index].contains(id), "a frame to a closed connection")
            precondition((try? ServerFrame.parse(bytes.span.bytes)) != nil, "what was sent is no frame")
        case .close(let id): precondition(connected[index].remove(id) != nil, "a closed connection is closed again")
        case .bus(let order):
            guard carriesBus else { return }
            if index == 0 {
                second.handle(.bus(BusMessage(order.bytes)), now: now)
            } else {
                first.handle(.bus(BusMessage(order.bytes)), now: now)
            }
        case .store, .event: break
        }
    }
}
