import HelioTestLanes
import Testing

@testable import HelioTestPrograms

/// A home's router is what its kind says: probed by programs that no one here wrote, and by connections.
@Suite("Two homes and their routers", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct TwoHomesTests {
    private static let securePort = 443

    @Test(
        "NATs map and let in as they say",
        arguments: [
            (RouterKind.fullCone, RouterKind.restricted), (.portRestricted, .symmetric),
        ])
    func behaviours(host: RouterKind, viewer: RouterKind) throws {
        let world = try TwoHomes()
        let turn = try PublicTURN(in: world)
        // The kind before leaves nothing behind.
        for kind in [RouterKind.symmetric, host] { try world.setRouter(kind, of: .host) }
        for kind in [RouterKind.fullCone, viewer] { try world.setRouter(kind, of: .viewer) }
        let found = try NATBehaviour.probe(world)
        #expect(found == [.host: host.behaviour, .viewer: viewer.behaviour])
        withExtendedLifetime(turn) {}
    }

    @Test("what is blocked does not get through, and what is not does")
    func blocks() throws {
        let world = try TwoHomes()
        let turn = try PublicTURN(in: world)
        let portal = try RouterProgram.portal(of: .viewer, in: world)
        let proxy = try RouterProgram.proxy(of: .viewer, in: world)
        /// UDP, TCP to TURN's port, and TCP to HTTPS' port.
        func open() throws -> [Bool] {
            [
                try world.hasUDP(at: .viewer), try world.reaches(TwoHomes.turn[0], TwoHomes.turnPort, from: .viewer),
                try world.reaches(TwoHomes.turn[1], Self.securePort, from: .viewer),
            ]
        }
        #expect(try open() == [true, true, true])
        try world.setRouter(.noUDP, of: .viewer)
        #expect(try open() == [false, true, true])
        try world.setRouter(.only443, of: .viewer)
        #expect(try open() == [false, false, true])
        try world.setRouter(.proxy, of: .viewer)
        #expect(try open() == [false, false, false])
        let router = "192.168.1.1"
        let tunnel = "CONNECT \(TwoHomes.turn[1]):443 HTTP/1.1"
        #expect(try world.ask(tunnel, router, RouterKind.proxyPort, from: .viewer).contains(" 200 "))
        let other = "CONNECT \(TwoHomes.turn[0]):\(TwoHomes.turnPort) HTTP/1.1"
        #expect(try world.ask(other, router, RouterKind.proxyPort, from: .viewer).contains(" 403 "))
        try world.setRouter(.portal, of: .viewer)
        #expect(try !world.hasUDP(at: .viewer))
        #expect(try world.ask("GET / HTTP/1.0", TwoHomes.turn[1], 80, from: .viewer).contains(" 302 "))
        // HTTPS spoken without TLS.
        #expect(try world.ask("GET / HTTP/1.0", TwoHomes.turn[1], 443, from: .viewer).contains(" 400 "))
        try world.setRouter(.portRestricted, of: .viewer)
        #expect(try open() == [true, true, true])
        withExtendedLifetime((turn, portal, proxy)) {}
    }

    @Test("what comes in is counted by its way, and homes reach each other by nothing but a public address")
    func ways() throws {
        let world = try TwoHomes()
        let turn = try PublicTURN(in: world)
        #expect(try world.received(at: .viewer)[.direct] == 0)
        let before = try world.received(at: .viewer)
        #expect(try world.hasUDP(at: .viewer))
        let after = try world.received(at: .viewer)
        #expect(try #require(after[.relayed]) > #require(before[.relayed]))
        #expect(after[.direct] == 0 && after[.rendezvous] == 0)
        #expect(try !world.reaches(world.address(.host), 22, from: .viewer))
        withExtendedLifetime(turn) {}
    }

    @Test("a machine gets another address, IPv6 in one home or in both, and all still goes")
    func addresses() throws {
        let world = try TwoHomes()
        let turn = try PublicTURN(in: world)
        let before = world.address(.viewer)
        try world.readdress(.viewer)
        #expect(world.address(.viewer) != before)
        #expect(try world.hasUDP(at: .viewer))
        try world.readdress(.viewer)
        #expect(world.address(.viewer) == before)
        for home in TwoHomes.Home.allCases { try world.setIPv6(true, at: home) }
        // The firewall drops it: it reaches the other home and is counted nowhere.
        #expect(try !world.reaches("2001:db8:a::10", 22, from: .viewer))
        try world.setIPv6(false, at: .host)
        #expect(try world.hasUDP(at: .viewer))
        withExtendedLifetime(turn) {}
    }
}
