import HelioCore
import HelioProtection
import HelioRendezvous
import HelioRendezvousWire
import HelioTestLanes
import HelioTunnel
import NIOCore
import Testing

@Suite("A call that asks a host to wake another machine on its network", .tags(.quiet))
struct WakeCallTests {
    private let addresses: [HardwareAddress]
    private let world: TunnelWorld

    init() async throws {
        addresses = try (1...2).map { try #require(HardwareAddress([2, 0, 0, 0, 0, UInt8($0)])) }
        world = try await TunnelWorld()
    }

    /// Asks the host; returns the number of networks on which it has sent packets.
    private func ask(within time: Duration = .seconds(30), with secret: SecretBytes? = nil) async throws -> Int {
        try await TunnelWorld.loop.flatSubmit { [world, addresses] () -> EventLoopFuture<Int> in
            let joined = world.newCall()
            world.wakeCalls.append(joined)
            do {
                let call = try WakeCall(
                    joined.ringer, to: world.device, secret: secret ?? world.secret, on: TunnelWorld.loop)
                return call.ask(for: addresses, within: time)
            } catch {
                return TunnelWorld.loop.makeFailedFuture(error)
            }
        }.get()
    }

    /// Returns the error that a request fails with.
    private func failure(within time: Duration = .seconds(30), with secret: SecretBytes? = nil) async -> HelioError? {
        do {
            _ = try await ask(within: time, with: secret)
            return nil
        } catch {
            return error as? HelioError
        }
    }

    private func drops() async throws -> [String: Int] { try await world.on { $0.host.allDrops } }

    /// Counts the requests that reach the host.
    private final class Requests: @unchecked Sendable {
        var all: [[HardwareAddress]] = []
    }

    private func permit(networks: Int = 1) async throws -> Requests {
        let requests = Requests()
        try await world.on { world in
            world.wake = { addresses, _ in
                requests.all.append(addresses)
                return networks
            }
        }
        return requests
    }

    @Test("a paired device's request is carried out and answered, and leaves no call", .timeLimit(.minutes(1)))
    func woken() async throws {
        let requests = try await permit(networks: 2)
        #expect(try await ask() == 2)
        #expect(try await world.on { _ in requests.all } == [addresses])
        try await world.wait(until: { $0.host.count == 0 })
        #expect(try await world.on { $0.host.woken } == 1)
        #expect(try await drops().isEmpty)
        try await world.stop()
    }

    @Test("who has a link alone, or a secret that the host does not know, wakes nobody", .timeLimit(.minutes(1)))
    func notPermitted() async throws {
        #expect(await failure()?.reason == "not-permitted")
        #expect(try await drops() == ["wake-not-permitted": 1])
        let requests = try await permit()
        #expect(await failure(with: SecretBytes([UInt8](repeating: 8, count: 32))) != nil)
        #expect(try await world.on { _ in requests.all }.isEmpty)
        #expect(try await world.on { $0.host.woken } == 0)
        try await world.wait(until: { $0.host.count == 0 })
        try await world.stop()
    }

    @Test("a device wakes six machines a minute", .timeLimit(.minutes(1)))
    func tooFast() async throws {
        let requests = try await permit()
        for _ in 0..<6 { #expect(try await ask() == 1) }
        for _ in 0..<2 { #expect(await failure()?.reason == "too-fast") }
        #expect(try await world.on { _ in requests.all.count } == 6)
        #expect(try await drops() == ["wake-too-fast": 2])
        try await world.stop()
    }

    @Test("a host that can send nothing says so", .timeLimit(.minutes(1)))
    func noNetwork() async throws {
        _ = try await permit(networks: 0)
        #expect(await failure()?.code == .unreachable)
        #expect(try await drops() == ["wake-failed": 1])
        try await world.stop()
    }

    @Test("a rendezvous can't answer in the host's place, nor have a machine woken again", .timeLimit(.minutes(1)))
    func malicious() async throws {
        let requests = try await permit()
        try await world.on { world in
            var answers = 0
            world.tamper = { event, isRingers in
                guard case .message = event, !isRingers else { return nil }
                answers += 1
                // The host's repetition of the request passes, its result does not.
                return answers == 1 ? nil : [.hungUp(.ended)]
            }
        }
        #expect(await failure()?.code == .unreachable)
        try await world.on { $0.tamper = nil }
        let reason = try await world.on { world -> HangUpReason? in
            let first = world.wakeCalls.last?.ringer.sent.first
            guard let token = RingToken([UInt8](repeating: 1, count: 16)), let first else { return nil }
            let again = world.newCall()
            world.wakeCalls.append(again)
            again.ringer.ring(world.device, token)
            again.host.onEvent?(.message(first))
            return again.host.hungUp
        }
        #expect(reason == .protocolError)
        #expect(try await drops() == ["replayed": 1])
        #expect(try await world.on { _ in requests.all.count } == 1)
        try await world.stop()
    }

    @Test("nor can it after the host was started anew, and has forgotten all calls", .timeLimit(.minutes(1)))
    func forgotten() async throws {
        let requests = try await permit()
        #expect(try await ask() == 1)
        try await world.startHost()
        let (asked, reason) = try await world.on { world -> (Int, HangUpReason?) in
            guard let token = RingToken([UInt8](repeating: 1, count: 16)), let old = world.wakeCalls.last else {
                return (0, nil)
            }
            let again = world.newCall()
            world.wakeCalls.append(again)
            again.ringer.ring(world.device, token)
            for message in old.ringer.sent { again.host.onEvent?(.message(message)) }
            return (again.host.sent.count, again.host.hungUp)
        }
        #expect(asked == 1 && reason == .protocolError)
        #expect(try await drops() == ["violated": 1])
        #expect(try await world.on { _ in requests.all.count } == 1)
        try await world.stop()
    }

    @Test("hosts of an earlier version, away, and silent are told apart", .timeLimit(.minutes(1)))
    func noAnswer() async throws {
        let ends: [(HangUpReason, HelioError.Code)] = [(.protocolError, .unsupported), (.unreachable, .unreachable)]
        for (reason, code) in ends {
            try await world.on { $0.impostor = { call, _ in call.host.hangUp(reason) } }
            #expect(await failure()?.code == code)
        }
        try await world.on { $0.impostor = { _, _ in } }
        #expect(await failure(within: .milliseconds(50))?.code == .unreachable)
        try await world.stop()
    }
}
