import Foundation
import HelioCore
import Testing

@testable import HelioLoop

/// The packets that wake machines, sent on loopback; and the interfaces by which this machine is woken.
@Suite("Waking other machines")
struct WakeSenderTests {
    private static let loopback = WakeSender.Network(source: .v4(0x7F00_0001), broadcast: .v4(0x7FFF_FFFF))

    /// Waits for the next datagram; `nil` if none comes within 5 s.
    private static func next(_ socket: DatagramSocket) -> [UInt8]? {
        var waiting = pollfd(fd: socket.descriptor, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, 5000) == 1 else { return nil }
        var bytes = [UInt8](repeating: 0, count: 2048)
        guard let count = bytes.withUnsafeMutableBytes({ socket.receive(into: $0)?.count }) else { return nil }
        return Array(bytes.prefix(count))
    }

    private static func isEmpty(_ socket: DatagramSocket) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 2048)
        return bytes.withUnsafeMutableBytes { socket.receive(into: $0) == nil }
    }

    @Test("each packet is broadcast three times on a network, to its own address and to the general one")
    func sent() async throws {
        let socket = try DatagramSocket(bindTo: "0.0.0.0", port: 0)
        let addresses = try (1...2).map { try #require(HardwareAddress([2, 0, 0, 0, 0, UInt8($0)])) }
        let sender = WakeSender(on: [Self.loopback], port: socket.localPort)
        #expect(try await sender.wake(addresses) == 1)
        var counts: [HardwareAddress: Int] = [:]
        for _ in 0..<12 {
            let packet = try #require(Self.next(socket))
            counts[try #require(MagicPacket.address(in: packet)), default: 0] += 1
        }
        #expect(counts == [addresses[0]: 6, addresses[1]: 6])
        #expect(Self.isEmpty(socket))
    }

    @Test("more addresses than a host may tell are not woken")
    func tooMany() async throws {
        let socket = try DatagramSocket(bindTo: "0.0.0.0", port: 0)
        let addresses = try (1...6).map { try #require(HardwareAddress([2, 0, 0, 0, 0, UInt8($0)])) }
        _ = try await WakeSender(on: [Self.loopback], port: socket.localPort).wake(addresses)
        var woken: Set<HardwareAddress> = []
        for _ in 0..<24 {
            let packet = try #require(Self.next(socket))
            woken.insert(try #require(MagicPacket.address(in: packet)))
        }
        #expect(woken == Set(addresses.prefix(4)))
        #expect(Self.isEmpty(socket))
    }

    @Test("without a network that has broadcasts nothing is sent, which is an error")
    func noNetwork() async throws {
        let address = try #require(HardwareAddress([2, 0, 0, 0, 0, 1]))
        // TEST-NET-1 is no address of this machine.
        let foreign = WakeSender.Network(source: .v4(0xC000_0201), broadcast: .v4(0xC000_02FF))
        for networks in [[], [foreign]] {
            await #expect { try await WakeSender(on: networks).wake([address]) } throws: {
                ($0 as? HelioError)?.code == .unreachable
            }
        }
    }

    @Test("packets are sent on connected networks of IPv4 with a broadcast address, loopback not among them")
    func networks() throws {
        let (own, all) = (try #require(IPAddress("192.168.1.7")), try #require(IPAddress("192.168.1.255")))
        let loopback = try #require(IPAddress("127.0.0.1"))
        let list = [
            InterfaceAddress("lo", loopback, broadcast: .v4(0x7FFF_FFFF)),
            InterfaceAddress("eth0", own, broadcast: all),
            InterfaceAddress("eth0", try #require(IPAddress("fe80::1")), broadcast: nil),
            InterfaceAddress("eth1", own, hasCarrier: false, broadcast: all),
            InterfaceAddress("wg0", try #require(IPAddress("10.8.0.2")), isPointToPoint: true),
        ]
        #expect(WakeSender.networks(of: list) == [.init(source: own, broadcast: all)])
    }

    // MARK: This machine's interfaces

    /// A folder like Linux's list of interfaces.
    private final class Folder {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("interfaces-\(UUID().uuidString)")

        deinit { try? FileManager.default.removeItem(at: url) }

        func add(
            _ name: String, _ address: String, type: String = "1", state: String = "up", with entries: [String]
        ) throws {
            let place = url.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            for entry in entries {
                try FileManager.default.createDirectory(
                    at: place.appendingPathComponent(entry), withIntermediateDirectories: true)
            }
            for (file, text) in [("type", type), ("operstate", state), ("address", address)] {
                try Data((text + "\n").utf8).write(to: place.appendingPathComponent(file))
            }
        }
    }

    @Test("physical interfaces that are up are told, wired before wireless, and those with a default route first")
    func interfaces() throws {
        let folder = Folder()
        try folder.add("wlan0", "02:00:00:00:00:01", with: ["device", "wireless"])
        try folder.add("wlan1", "02:00:00:00:00:02", with: ["device", "phy80211"])
        try folder.add("enp1s0", "02:00:00:00:00:03", with: ["device"])
        try folder.add("enp2s0", "02:00:00:00:00:04", with: ["device"])
        try folder.add("docker0", "02:00:00:00:00:05", with: ["bridge"])
        try folder.add("enp3s0", "02:00:00:00:00:06", state: "down", with: ["device"])
        try folder.add("lo", "00:00:00:00:00:00", type: "772", with: [])
        try folder.add("wwan0", "02:00:00:00:00:07", type: "65534", with: ["device"])
        try folder.add("odd", "not an address", with: ["device"])
        let found = HardwareInterfaces.addresses(in: folder.url.path, routes: ["wlan1", "enp2s0"])
        #expect(
            found.map(\.description) == [
                "02:00:00:00:00:04", "02:00:00:00:00:03", "02:00:00:00:00:02", "02:00:00:00:00:01",
            ])
        #expect(HardwareInterfaces.addresses(in: folder.url.path + "/missing", routes: []).isEmpty)
    }
}
