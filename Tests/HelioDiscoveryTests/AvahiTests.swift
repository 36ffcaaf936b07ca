import Foundation
import HelioCore
import HelioDiscovery
import HelioMDNS
import HelioTestLanes
import HelioTestPrograms
import Testing

/// Tests with Debian's Avahi. They are serialized, since a process has one D-Bus connection.
@Suite("Avahi", .serialized, .timeLimit(.minutes(1)), .tags(.quiet))
struct AvahiTests {
    private static let print = [UInt8](repeating: 0x5A, count: 32)
    private static let text = HostDescription(
        name: "tower", version: "0.1.0", fingerprint: print, webPort: 8080
    ).record.serialised()

    private func machine(_ network: AvahiMachine.Network = .loopback) throws -> AvahiMachine {
        try AvahiMachine(network: network, bus: AvahiMachine.busOfThisProcess)
    }

    private func announce(
        _ name: String = "tower", port: UInt16 = 7236
    ) -> (advertiser: any ServiceAdvertising, log: EventLog<AdvertisingEvent>) {
        let log = EventLog<AdvertisingEvent>()
        let service = ServiceAnnouncement(name: name, port: port, text: Self.text)
        return (LocalDiscovery.advertise(service, onEvent: log.put), log)
    }

    private func browse() -> (browser: any ServiceBrowsing, log: EventLog<BrowsingEvent>) {
        let log = EventLog<BrowsingEvent>()
        return (LocalDiscovery.browse(onEvent: log.put), log)
    }

    private func name(_ event: AdvertisingEvent) -> String? {
        if case .announced(let name) = event { name } else { nil }
    }

    private func obstacle(_ event: AdvertisingEvent) -> DiscoveryObstacle? {
        if case .unavailable(let why) = event { why } else { nil }
    }

    private func found(_ event: BrowsingEvent) -> (place: ServicePlace, details: ServiceDetails)? {
        if case .found(let place, let details) = event { (place, details) } else { nil }
    }

    @Test("what is announced is seen by avahi-browse, and its end too")
    func announcing() async throws {
        let machine = try machine()
        let (advertiser, log) = announce()
        #expect(try await log.first(name) == "tower")
        let seen = try machine.run(["stdbuf", "-oL", "avahi-browse", "-rp", "_screencast._tcp"], until: "\"fp=")
        let line = try #require(seen.text.split(separator: "\n").first { $0.hasPrefix("=;") })
        #expect(line.contains(";_screencast._tcp;local;alpha.local;127.0.0.1;7236;"))
        let fingerprint = String(repeating: "5a", count: 32)
        for pair in ["txtvers=1", "name=tower", "version=0.1.0", "web=8080", "fp=" + fingerprint] {
            #expect(line.contains("\"\(pair)\""))
        }
        await advertiser.stop()
        try seen.wait(for: "-;lo;IPv4;tower;_screencast._tcp;local")
    }

    @Test("what avahi-publish announces is found, with what it says, and its end too")
    func browsing() async throws {
        let machine = try machine()
        let (browser, log) = browse()
        // A browser sees services published before and after it starts.
        let publisher = try machine.run(
            ["avahi-publish", "-s", "Dr. Who's tower", "_screencast._tcp", "7300", "txtvers=1", "web=8081"],
            until: "Established")
        let (place, details) = try await log.first(found)
        #expect(place.name == "Dr. Who's tower")
        #expect(place.domain == "local")
        #expect(details.machine == "alpha.local")
        #expect(details.ip == IPAddress("127.0.0.1"))
        #expect(details.port == 7300)
        #expect(details.isLocal)
        let record = TextRecord(parsing: details.text.span.bytes)
        #expect(record?["txtvers"] == [0x31])
        #expect(record?["web"] == Array("8081".utf8))
        publisher.kill()
        try await log.first { $0 == .gone(place) ? true : nil }
        browser.stop()
    }

    @Test("who begins to look later sees who is there, and knows when that is all")
    func settling() async throws {
        let machine = try machine()
        let (advertiser, announced) = announce()
        try await announced.first(name)
        let other = try machine.run(
            ["avahi-publish", "-s", "other", "_screencast._tcp", "7300"], until: "Established")
        let (browser, log) = browse()
        try await log.first { $0 == .settled ? true : nil }
        #expect(Set(log.taken.compactMap(found).map(\.place.name)) == ["tower", "other"])
        browser.stop()
        await advertiser.stop()
        other.kill()
    }

    @Test("two of one name on one machine have two names")
    func collision() async throws {
        let machine = try machine()
        let (first, firstLog) = announce()
        #expect(try await firstLog.first(name) == "tower")
        let (second, secondLog) = announce(port: 7240)
        #expect(try await secondLog.first(name) == "tower #2")
        let (third, thirdLog) = announce(port: 7242)
        #expect(try await thirdLog.first(name) == "tower #3")
        let seen = try machine.run(["stdbuf", "-oL", "avahi-browse", "-rp", "_screencast._tcp"], until: ";7242;")
        try seen.wait(for: ";7240;")
        for advertiser in [first, second, third] { await advertiser.stop() }
    }

    /// Avahi decides which of the two machines is renamed; it may be the one that was there first.
    @Test("two machines of one name come to two names, and both are found")
    func neighbours() async throws {
        let machine = try machine(.cable(to: "beta"))
        let other = try machine.runOnNeighbour(
            ["avahi-publish", "-s", "tower", "_screencast._tcp", "7300"], until: "Established")
        let (browser, log) = browse()
        let (place, details) = try await log.first(found)
        #expect(place.name == "tower")
        #expect(details.machine == "beta.local")
        #expect(details.ip == IPAddress("10.99.0.2"))
        #expect(!details.isLocal)
        let (advertiser, _) = announce()
        var directory = HostDirectory()
        for event in log.taken { directory.take(event) }
        func host(_ port: UInt16) -> FoundHost? { directory.hosts.first { $0.port == port } }
        func address(_ port: UInt16) -> String? { host(port)?.addresses.map { "\($0)" }.joined(separator: " ") }
        // Until then, the names may be swapped.
        while Set([host(7236)?.name, host(7300)?.name]) != ["tower", "tower #2"] || address(7236) != "10.99.0.1"
            || address(7300) != "10.99.0.2"
        {
            directory.take(try await log.first { $0 })
        }
        let browse = ["stdbuf", "-oL", "avahi-browse", "-rp", "_screencast._tcp"]
        // The neighbour's cache needs a moment too, and `avahi-browse -t` prints only the first results.
        let isSeen = try (0..<15).contains { _ in
            try machine.runOnNeighbour(browse + ["-t"], until: "=").finish().contains("alpha.local;10.99.0.1;7236;")
        }
        #expect(isSeen)
        let name = try #require(host(7236)?.name).replacing(" #", with: "\\032\\035")
        let seen = try machine.runOnNeighbour(browse, until: ";IPv4;\(name);")
        await advertiser.stop()
        try seen.wait(matching: "-;[^;]*;IPv4;\(NSRegularExpression.escapedPattern(for: name));")
        other.kill()
        while host(7300) != nil { directory.take(try await log.first { $0 }) }
        browser.stop()
    }

    @Test("a daemon that goes is said once, and one that comes back is used", arguments: [true, false])
    func daemonComesBack(busGoesToo: Bool) async throws {
        let machine = try machine()
        let (advertiser, announced) = announce()
        let (browser, log) = browse()
        try await announced.first(name)
        try await log.first(found)
        machine.killDaemon()
        if busGoesToo { machine.killBus() }
        #expect(try await announced.first(obstacle).description.contains("Avahi"))
        try await log.first { if case .unavailable = $0 { true } else { nil } }
        if busGoesToo { try machine.startBus() }
        try machine.startDaemon()
        #expect(try await announced.first(name) == "tower")
        let (place, _) = try await log.first(found)
        #expect(place.name == "tower")
        #expect(announced.taken.compactMap(obstacle).count == 1)
        await advertiser.stop()
        browser.stop()
    }

    @Test("without Avahi or D-Bus that is said, and nobody waits", arguments: [true, false])
    func nothingThere(hasBus: Bool) async throws {
        let machine = try machine()
        machine.killDaemon()
        if !hasBus { machine.killBus() }
        let began = ContinuousClock.now
        let (advertiser, announced) = announce()
        let (browser, log) = browse()
        #expect(ContinuousClock.now - began < .seconds(1))
        try await announced.first(obstacle)
        try await log.first { if case .unavailable = $0 { true } else { nil } }
        await advertiser.stop()
        browser.stop()
        #expect(announced.taken.count == 1)
    }

    @Test("a daemon that hangs holds nobody up")
    func hanging() async throws {
        let machine = try machine()
        let (advertiser, announced) = announce()
        try await announced.first(name)
        machine.pause()
        let began = ContinuousClock.now
        let (other, _) = announce("other")
        let (browser, _) = browse()
        browser.stop()
        await other.stop()
        await advertiser.stop()
        // Each step takes at most two seconds.
        #expect(ContinuousClock.now - began < .seconds(8))
    }

    @Test("stopping before anything has begun is no harm, many times")
    func stopping() async throws {
        let machine = try machine()
        for _ in 0..<20 {
            let (advertiser, _) = announce()
            let (browser, _) = browse()
            browser.stop()
            await advertiser.stop()
        }
        let (advertiser, announced) = announce("last")
        #expect(try await announced.first(name) == "last")
        await advertiser.stop()
        _ = machine
    }
}
