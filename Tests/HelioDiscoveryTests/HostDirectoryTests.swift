import HelioCore
import HelioDiscovery
import HelioMDNS
import Testing

struct HostDirectoryTests {
    private static let print = [UInt8](repeating: 0xAB, count: 32)

    private func place(_ name: String = "tower", interface: Int32 = 2, family: AddressFamily = .ipv4) -> ServicePlace {
        ServicePlace(name: name, domain: "local", interface: interface, family: family)
    }

    private func details(
        _ address: String = "192.0.2.7", machine: String = "tower.local", port: UInt16 = 7236, text: [UInt8]? = nil,
        fingerprint: [UInt8]? = print, isLocal: Bool = false
    ) throws -> ServiceDetails {
        let description = HostDescription(name: "tower", version: "0.1.0", fingerprint: fingerprint, webPort: 8080)
        return ServiceDetails(
            machine: machine, ip: try #require(IPAddress(address)), zone: "eth0", port: port,
            text: text ?? description.record.serialised(), isLocal: isLocal)
    }

    private func directory(_ events: [BrowsingEvent]) -> HostDirectory {
        var directory = HostDirectory()
        directory.take(.available)
        for event in events { directory.take(event) }
        return directory
    }

    @Test func oneHostOnSeveralNetworksIsOne() throws {
        let directory = directory([
            .found(place(interface: 3, family: .ipv6), try details("fe80::7")),
            .found(place(family: .ipv6), try details("2001:db8::7")),
            .found(place(interface: 1), try details("127.0.0.1", isLocal: true)),
            .found(place(), try details()),
            .found(place(interface: 4), try details()),
            .settled,
        ])
        #expect(directory.hosts.count == 1)
        let host = try #require(directory.hosts.first)
        #expect(host.addresses.map { "\($0)" } == ["192.0.2.7", "2001:db8::7", "fe80::7%eth0", "127.0.0.1"])
        #expect(host.name == "tower")
        #expect(host.description.webPort == 8080)
        #expect(directory.isSettled)
        #expect(directory.drops.total == 0)
    }

    @Test func itGoesWithTheLastNetwork() throws {
        var directory = directory([
            .found(place(), try details()), .found(place(family: .ipv6), try details("2001:db8::7")),
        ])
        directory.take(.gone(place()))
        #expect(directory.hosts.first?.addresses.map { "\($0)" } == ["2001:db8::7"])
        directory.take(.gone(place()))
        #expect(directory.hosts.count == 1)
        directory.take(.gone(place(family: .ipv6)))
        #expect(directory.hosts.isEmpty)
    }

    @Test func namesakesOfTwoNetworksAreTwo() throws {
        let directory = directory([
            .found(place(), try details()),
            .found(place(interface: 3), try details("198.51.100.7", machine: "tower-2.local")),
            .found(place(interface: 4), try details("203.0.113.7", fingerprint: [UInt8](repeating: 1, count: 32))),
        ])
        #expect(directory.hosts.count == 3)
    }

    @Test func changesAreFollowed() throws {
        var directory = directory([.found(place(), try details())])
        directory.take(.found(place(), try details("192.0.2.8", port: 7300)))
        #expect(directory.hosts.map(\.port) == [7300])
        #expect(directory.hosts.first?.addresses.map { "\($0)" } == ["192.0.2.8"])
        // The host was restarted with another key: the old entry is removed.
        directory.take(.found(place(), try details(fingerprint: [UInt8](repeating: 2, count: 32))))
        #expect(directory.hosts.map(\.id.fingerprint) == [String(repeating: "02", count: 32)])
    }

    @Test func withoutADaemonNothingIsKnown() throws {
        var directory = directory([.found(place(), try details())])
        directory.take(.unavailable(DiscoveryObstacle("none")))
        #expect(directory.hosts.isEmpty)
        #expect(directory.obstacle?.description == "none")
        #expect(directory.isSettled)
        directory.take(.available)
        #expect(directory.obstacle == nil)
        #expect(!directory.isSettled)
    }

    @Test func namesAreFitForATerminal() throws {
        let directory = directory([
            .found(place("to\u{1B}[2Jwer\u{202E}  x\n"), try details()), .found(place("\u{7}\u{200B}"), try details()),
        ])
        #expect(directory.hosts.map(\.name) == ["to[2Jwer x"])
        #expect(directory.drops[.unreadableName] == 1)
    }

    @Test(
        arguments: [
            ("0.0.0.0", 7236, nil, DiscoveryDrop.uselessAddress), ("::", 7236, nil, .uselessAddress),
            ("224.0.0.251", 7236, nil, .uselessAddress), ("255.255.255.255", 7236, nil, .uselessAddress),
            ("ff02::fb", 7236, nil, .uselessAddress), ("127.0.0.1", 7236, nil, .uselessAddress),
            ("::1", 7236, nil, .uselessAddress), ("192.0.2.7", 0, nil, .uselessPort),
            ("192.0.2.7", 7236, [9, 1], .malformedText),
            ("192.0.2.7", 7236, [9] + Array("txtvers=9".utf8), .unknownVersion),
        ] as [(String, UInt16, [UInt8]?, DiscoveryDrop)])
    func whatIsOfNoUseIsDropped(address: String, port: UInt16, text: [UInt8]?, reason: DiscoveryDrop) throws {
        var directory = directory([.found(place(), try details(address, port: port, text: text))])
        #expect(directory.hosts.isEmpty)
        #expect(directory.drops[reason] == 1)
        #expect(directory.drops.total == 1)
        // Unreadable details also replace readable ones.
        directory = self.directory([
            .found(place(), try details()), .found(place(), try details(address, port: port, text: text)),
        ])
        #expect(directory.hosts.isEmpty)
    }

    @Test func aWrongFieldCostsOnlyItself() throws {
        let text = [5] + Array("web=x".utf8)
        let directory = directory([.found(place(), try details(text: text))])
        #expect(directory.hosts.count == 1)
        #expect(directory.drops[.malformedField] == 1)
    }

    @Test func whoFloodsIsBounded() throws {
        var events: [BrowsingEvent] = []
        for number in 0..<1000 { events.append(.found(place("host \(number)"), try details())) }
        var directory = directory(events)
        #expect(directory.hosts.count == HostDirectory.maximumHosts)
        #expect(directory.drops[.tooManyHosts] == 1000 - HostDirectory.maximumHosts)
        // Known hosts stay, and a host that leaves makes room for another.
        directory.take(.gone(place("host 0")))
        directory.take(.found(place("host 999"), try details()))
        #expect(directory.hosts.count == HostDirectory.maximumHosts)

        events = try (0..<100).map { .found(place(interface: $0 + 1), try details("192.0.2.\($0 + 1)")) }
        directory = self.directory(events)
        #expect(directory.hosts.first?.addresses.count == HostDirectory.maximumAddresses)
        #expect(directory.drops[.tooManyAddresses] == 100 - HostDirectory.maximumAddresses)
    }
}
