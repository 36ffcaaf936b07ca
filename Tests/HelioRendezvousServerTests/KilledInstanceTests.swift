import Foundation
import HelioCore
import HelioRendezvous
import HelioRendezvousPort
import HelioRendezvousServer
import HelioRendezvousWire
import HelioTestLanes
import HelioTestPrograms
import Testing

@Suite("Instances of the program itself, of which one is killed", .timeLimit(.minutes(2)), .tags(.quiet))
struct KilledInstanceTests {
    private static let token = Service.token(1)

    /// A `heliograph rendezvous` on loopback.
    private final class Instance {
        let program: LoggedProgram
        let port: Int

        init(_ nats: NATSServer) throws {
            program = try LoggedProgram(
                [
                    RunningProgram.built("heliograph"), "rendezvous", "--port", "0", "--store", "off", "--bus",
                    nats.url,
                ], environment: [:], folder: NSTemporaryDirectory())
            try program.wait(for: "The NATS server is there")
            try program.wait(matching: "http://127\\.0\\.0\\.1:[0-9]+, ")
            let said = program.text.components(separatedBy: "http://127.0.0.1:").dropFirst().first ?? ""
            port = Int(said.prefix { $0.isNumber }) ?? 0
        }

        func place() throws -> RendezvousPlace { try RendezvousPlace(parsing: "http://127.0.0.1:\(port)") }
    }

    @Test("its devices are back at the other within 5 s and can be rung there, and its calls are lost at both ends")
    func killed() async throws {
        let nats = try NATSServer()
        let (first, second) = (try Instance(nats), try Instance(nats))
        let balancer = try NginxBalancer([first.port, second.port])
        let shared = try RendezvousPlace(parsing: "http://127.0.0.1:\(balancer.port)")
        var hosts: [Device] = []
        for _ in 0..<20 { hosts.append(try await Device.host(at: shared, permits: [Self.token])) }
        let viewer = try await Device.viewer(at: second.place())
        try await Instances.see(hosts[0], Self.token, by: viewer)
        let (call, served) = try await Instances.talk(viewer, hosts[0], Self.token)

        let start = ContinuousClock.now
        first.program.kill()
        try await hosts[0].wait(for: .hungUp(served, .lost))
        for host in hosts { try await host.online() }
        let time = ContinuousClock.now - start
        #expect(time < .seconds(5), "the devices were back after \(time)")
        let other = try await Device.viewer(at: second.place())
        for host in hosts {
            let again = try await other.ring(host.id(), Self.token)
            _ = try await host.rung()
            try await other.wait(for: .ringing(again))
            try await other.feed(.hangUp(again))
        }
        _ = try await Instances.talk(other, hosts[0], Self.token)
        // The instance that lives waits for signs of life before it takes the call as lost.
        try await viewer.wait(for: .hungUp(call, .lost))
        for device in hosts + [viewer, other] { await device.stop() }
        second.program.send(SIGTERM)
        #expect(second.program.finish().contains("Ending"))
    }
}
