import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// A viewer in one home and a host in another, who have nothing in common but a rendezvous: by which way the pictures
/// come, behind routers of each kind, and how soon. `FarFigures` measures the times.
@Suite("From home to home", .serialized, .timeLimit(.minutes(4)), .tags(.timed))
struct FarTests {
    /// The seconds within which one viewer has a picture, in a build without optimisation: what the benchmark holds p95
    /// to is 1.5 s directly and 3 s by a relay.
    private static func limit(_ way: TwoHomes.Way) -> Double { way == .direct ? 4 : 6 }
    private static let colors: [UInt32] = [0xC03030, 0x30C030, 0x3030C0, 0xC0C030]

    @Test("a picture comes soon behind routers of each kind, by the best way that there is")
    func ways() throws {
        let desktop = try FarDesktop()
        try desktop.host.waitUntilReached()
        for homes in FarHomes.all { try see(homes, on: desktop) }
    }

    @Test(
        "two homes with IPv6 need no NAT, and IPv6 in one of them does no harm",
        arguments: [
            ([TwoHomes.Home.host, .viewer], RouterKind.symmetric), ([.viewer], .portRestricted),
            ([.host], .portRestricted),
        ])
    func ipv6(_ having: [TwoHomes.Home], behind kind: RouterKind) throws {
        let desktop = try FarDesktop(ipv6: having)
        try desktop.host.waitUntilReached()
        try see(FarHomes(host: kind, viewer: kind, way: .direct), on: desktop)
    }

    /// Watches behind these routers.
    private func see(_ homes: FarHomes, on desktop: FarDesktop) throws {
        try desktop.world.setRouter(homes.host, of: .host)
        try desktop.world.setRouter(homes.viewer, of: .viewer)
        let color = Self.colors[0]
        desktop.host.paint(color)
        let viewer = try desktop.watch()
        let time = try viewer.timeToPicture(color)
        #expect(time < Self.limit(homes.way), "\(homes)")
        let (way, told) = try viewer.way(homes.way)
        #expect(way == homes.way, "\(homes)")
        #expect(told == homes.way.rawValue, "\(homes)")
        viewer.stop()
    }

    @Test("pictures go on when the direct way is blocked, and come back to it within 10 s of its end")
    func returning() throws {
        let desktop = try FarDesktop()
        try desktop.host.waitUntilReached()
        desktop.host.paint(Self.colors[0])
        let viewer = try desktop.watch()
        _ = try viewer.timeToPicture(Self.colors[0])
        _ = try viewer.way(.direct)
        for (kind, way) in [(RouterKind.noUDP, TwoHomes.Way.relayed), (.only443, .rendezvous)] {
            let time = try viewer.timeOfReturn(after: kind, by: way)
            #expect(time < 10, "after \(kind.rawValue)")
        }
    }

    @Test("the viewer's machine gets another address, and the session goes on without a new admission")
    func anotherAddress() throws {
        let desktop = try FarDesktop()
        try desktop.host.waitUntilReached()
        desktop.host.paint(Self.colors[1])
        let viewer = try desktop.watch()
        _ = try viewer.timeToPicture(Self.colors[1])
        _ = try viewer.way(.direct)
        let link = desktop.host.link
        try desktop.world.readdress(.viewer)
        _ = try viewer.way(within: .seconds(30))
        _ = try viewer.timeOfGlass(Self.colors[2])
        // Whoever is admitted anew uses up a link.
        #expect(desktop.host.link == link)
    }

    @Test("a host whose network leads to a portal is reached once somebody has logged in there")
    func portal() throws {
        let desktop = try FarDesktop(host: .portal)
        let portal = try RouterProgram.portal(of: .host, in: desktop.world)
        try desktop.host.share.line(with: "Sharing goes on without it")
        try desktop.world.setRouter(.portRestricted, of: .host)
        try desktop.host.waitUntilReached()
        desktop.host.paint(Self.colors[2])
        let viewer = try desktop.watch()
        _ = try viewer.timeToPicture(Self.colors[2])
        withExtendedLifetime(portal) {}
    }

    @Test("a viewer whose network has nothing but an HTTP proxy watches by the rendezvous")
    func proxy() throws {
        let desktop = try FarDesktop()
        let proxy = try RouterProgram.proxy(of: .viewer, in: desktop.world)
        try desktop.host.waitUntilReached()
        try desktop.world.setRouter(.proxy, of: .viewer)
        desktop.host.paint(Self.colors[3])
        let viewer = try desktop.watch(proxy: "http://192.168.1.1:\(RouterKind.proxyPort)")
        _ = try viewer.timeToPicture(Self.colors[3])
        viewer.stop()
        withExtendedLifetime(proxy) {}
    }
}
