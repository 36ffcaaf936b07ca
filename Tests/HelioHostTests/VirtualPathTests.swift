import HelioCore
import HelioHost
import HelioRemote
import HelioSession
import HelioSimulation
import Testing

@Suite("A viewer that comes through a tunnel")
struct VirtualPathTests {
    private static let route = PathID.virtual(7)

    @Test("its media and input take the virtual path from the first datagram on; people see its own address")
    func plays() throws {
        var world = SessionWorld(transport: .udp, route: Self.route)
        try world.run(.seconds(1))
        #expect(world.viewer.frames > 30 && world.viewer.broken == 0)
        #expect(world.host.elsewhere.isEmpty)
        world.viewer.send(.key(usage: 9, modifiers: [], isDown: true), now: world.now)
        try world.run(.milliseconds(200))
        #expect(world.host.injected == [.key(usage: 9, isDown: true)])
        #expect(world.host.host.statistics.viewers.map(\.address) == ["10.0.0.2"])
        let joined = world.host.events.compactMap { if case .joined(_, let address, _) = $0 { address } else { nil } }
        #expect(joined == ["10.0.0.2"])
    }

    @Test("its own address is no path of its media: a datagram from there is asked to prove itself")
    func ownAddress() throws {
        var world = SessionWorld(transport: .udp, route: Self.route)
        try world.run(.seconds(1))
        let before = world.viewer.frames
        let claimed = PathID(500)
        var turn = 0
        world.host.readdress = { _ in
            turn += 1
            return turn.isMultiple(of: 4) ? claimed : Self.route
        }
        try world.run(.seconds(1))
        #expect(world.viewer.frames >= before + 45, "the picture goes on by the tunnel")
        let heard = world.host.elsewhere[claimed, default: 0]
        #expect(heard > 0 && heard <= 11 * 100, "\(heard) bytes in 1 s")
    }

    @Test("another tunnel's path is not followed without proof either")
    func otherTunnel() throws {
        var world = SessionWorld(transport: .udp, route: Self.route)
        try world.run(.seconds(1))
        let other = PathID.virtual(8)
        var turn = 0
        world.host.readdress = { _ in
            turn += 1
            return turn.isMultiple(of: 4) ? other : Self.route
        }
        try world.run(.seconds(1))
        #expect(world.host.elsewhere[other, default: 0] <= 11 * 100)
    }

    @Test("the rate of its path is not remembered: the next tunnel may be much slower", arguments: [false, true])
    func memory(isTunnel: Bool) throws {
        var world = SessionWorld(route: isTunnel ? Self.route : nil)
        try world.run(.seconds(5))
        world.viewer.leave(now: world.now)
        try world.run(.seconds(2))
        #expect(world.host.host.statistics.viewers.isEmpty)
        let known = world.host.host.knownBitrate(to: PathID.viewer, now: world.now)
        #expect((known == nil) == isTunnel)
        #expect(world.host.host.knownBitrate(to: Self.route.ip, now: world.now) == nil)
    }
}
