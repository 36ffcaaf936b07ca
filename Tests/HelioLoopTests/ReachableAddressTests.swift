import HelioCore
import Testing

@testable import HelioLoop

/// The addresses that a machine advertises, for typical sets of interfaces.
@Suite("Addresses that others reach")
struct ReachableAddressTests {
    struct Machine: CustomTestStringConvertible {
        var testDescription: String
        var addresses: [InterfaceAddress]
        var routes: [String] = []
        /// The advertised addresses, best first.
        var named: [String]
    }

    private static func at(
        _ interface: String, _ ip: String, carrier: Bool = true, pointToPoint: Bool = false
    ) -> InterfaceAddress {
        InterfaceAddress(interface, IPAddress(ip)!, hasCarrier: carrier, isPointToPoint: pointToPoint)
    }

    static let machines: [Machine] = [
        Machine(
            testDescription: "a container's bridge without a container comes before the network",
            addresses: [
                at("lo", "127.0.0.1"), at("docker0", "172.17.0.1", carrier: false), at("wlan0", "192.168.5.2"),
                at("wlan0", "fe80::1"), at("wlan0", "2001:db8::2"), at("wlan0", "fd00::2"),
            ],
            routes: ["wlan0"], named: ["192.168.5.2", "2001:db8::2"]),
        Machine(
            testDescription: "bridges with containers and guests at work",
            addresses: [
                at("virbr0", "192.168.122.1"), at("br-0123456789ab", "172.18.0.1"), at("docker0", "172.17.0.1"),
                at("vboxnet0", "192.168.56.1"), at("enp3s0", "10.1.2.3"),
            ],
            named: ["10.1.2.3"]),
        Machine(
            testDescription: "a VPN that is down, and one that is up behind the network",
            addresses: [
                at("tun0", "10.8.0.2", carrier: false, pointToPoint: true), at("wg0", "10.9.0.2", pointToPoint: true),
                at("eth1", "10.0.0.7"), at("eth0", "192.168.1.20"),
            ],
            routes: ["eth0"], named: ["192.168.1.20", "10.0.0.7", "10.9.0.2"]),
        Machine(
            testDescription: "two ways out, the better one first",
            addresses: [at("wlan0", "192.168.1.30"), at("eth0", "192.168.1.20")], routes: ["eth0", "wlan0"],
            named: ["192.168.1.20", "192.168.1.30"]),
        Machine(
            testDescription: "a bridge that is this machine's own way out",
            addresses: [at("br0", "192.168.1.5"), at("br-lan", "192.168.2.1"), at("lxcbr0", "10.0.3.1")],
            routes: ["br0"], named: ["192.168.1.5", "192.168.2.1"]),
        Machine(
            testDescription: "an unplugged cable beside nothing but a bridge: the bridge is not hidden",
            addresses: [at("eth0", "192.168.1.5", carrier: false), at("docker0", "172.17.0.1")],
            named: ["172.17.0.1", "192.168.1.5"]),
        Machine(
            testDescription: "an address that nobody gave comes behind one that somebody did",
            addresses: [at("eth0", "169.254.7.7"), at("eth1", "10.0.0.2")], named: ["10.0.0.2", "169.254.7.7"]),
        Machine(
            testDescription: "nothing but an address of its own link, beside containers",
            addresses: [at("docker0", "172.17.0.1"), at("eth0", "fe80::7")], named: ["fe80::7"]),
        Machine(testDescription: "on no network", addresses: [at("lo", "127.0.0.1"), at("lo", "::1")], named: []),
    ]

    @Test(
        "the default route's first, then others that are connected; no bridge of containers, no VPN that is down",
        arguments: machines)
    func named(machine: Machine) {
        let found = ReachableAddresses.named(machine.addresses, routes: machine.routes, limit: 8)
        #expect(found.map(\.description) == machine.named)
        let all = ReachableAddresses.order(machine.addresses, routes: machine.routes)
        let zoneless = found.filter { $0.family == .ipv4 || !$0.isLinkLocal }
        #expect(all.filter { zoneless.contains($0) } == zoneless, "one order for both")
        #expect(zoneless.isEmpty || all.first == zoneless.first)
        #expect(ReachableAddresses.named(machine.addresses, routes: machine.routes, limit: 1).count <= 1)
    }

    @Test("default routes are read from the system's tables, the lowest metric first, and no others")
    func routes() {
        let ipv4 = """
            Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
            wlan0\t00000000\t0101A8C0\t0003\t0\t0\t600\t00000000\t0\t0\t0
            eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
            tun0\t00000000\t0108000A\t0003\t0\t0\t0\t00000080\t0\t0\t0
            tun0\t00000080\t0108000A\t0003\t0\t0\t0\t00000080\t0\t0\t0
            docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
            gone0\t00000000\t00000000\t0200\t0\t0\t0\t00000000\t0\t0\t0

            """
        #expect(DefaultRoutes.ofIPv4(ipv4) == ["eth0", "wlan0"])
        let zero = String(repeating: "0", count: 32)
        let ipv6 = """
            \(zero) 00 \(zero) 00 fe800000000000000000000000000001 00000400 00000001 00000000 00000003 wlan0
            \(zero) 00 \(zero) 00 \(zero) ffffffff 00000001 00000000 00200200 lo
            20010db8000000000000000000000000 40 \(zero) 00 \(zero) 00000100 00000001 00000000 00000001 eth0

            """
        #expect(DefaultRoutes.ofIPv6(ipv6) == ["wlan0"])
        for junk in ["", "\n", "a b c", ipv4.replacing("0003", with: "zz"), String(ipv6.prefix(40))] {
            #expect(DefaultRoutes.ofIPv4(junk).isEmpty && DefaultRoutes.ofIPv6(junk).isEmpty)
        }
    }

    @Test("this machine's own addresses are listed, loopback among them, and its routes are of its interfaces")
    func thisMachine() {
        let all = InterfaceAddress.all()
        #expect(all.contains { $0.ip.isLoopback && $0.hasCarrier && !$0.interface.isEmpty })
        let names = Set(all.map(\.interface))
        for route in DefaultRoutes.interfaces() { #expect(names.contains(route)) }
    }
}
