import Foundation

/// Two homes and the internet between them, each a network namespace: a host's machine and a viewer's, each behind a
/// router whose kind can be changed at any time, and servers with public addresses. Ends with this object, or with the
/// process: the namespaces have no names, so each is gone with its last program.
///
/// Both homes have the same private network, as homes do: neither machine reaches an address that the other one has.
package final class TwoHomes {
    package enum Home: String, CaseIterable, Sendable {
        case host, viewer

        fileprivate var network: String { self == .host ? "198.51.100" : "203.0.113" }
        fileprivate var network6: String { self == .host ? "2001:db8:a:" : "2001:db8:b:" }
        /// The last number of the machine's first address.
        fileprivate var number: Int { self == .host ? 10 : 20 }
        fileprivate var other: Home { self == .host ? .viewer : .host }
        /// The router's public address.
        package var address: String { network + ".2" }
    }

    /// A way between the homes, told by whom a router gets packets from.
    package enum Way: String, CaseIterable, Sendable {
        /// From the other home.
        case direct
        /// From the TURN server.
        case relayed
        /// From the rendezvous.
        case rendezvous
    }

    /// The servers' addresses: the rendezvous', and the two that a TURN server needs to tell NATs apart (RFC 5780).
    package static let rendezvous = "192.0.2.10"
    package static let turn = ["192.0.2.11", "192.0.2.12"]
    package static let turnPort = 3478
    private static let router = "192.168.1.1"

    package let internet: NetworkMachine
    /// All that is elsewhere, and answers nothing: without a route there a server's sending to an address that only a
    /// home has would fail, and coturn ends an allocation for that.
    private let elsewhere: NetworkMachine
    private let routers: [Home: NetworkMachine]
    private let machines: [Home: NetworkMachine]
    /// The address that each home's machine has now.
    private var addresses: [Home: String] = [:]

    package init() throws {
        for program in ["nft", "conntrack"] where !FileManager.default.isExecutableFile(atPath: "/usr/sbin/\(program)")
        {
            throw RunningProgram.Ended(description: "\(program) is missing: script/install-packages test")
        }
        internet = try NetworkMachine()
        elsewhere = try NetworkMachine(beside: internet)
        try NetworkMachine.connect(
            .init(internet, "elsewhere", ["100.64.0.1/24"]), .init(elsewhere, "internet", ["100.64.0.2/24"]))
        var (routers, machines) = ([Home: NetworkMachine](), [Home: NetworkMachine]())
        for home in Home.allCases {
            let router = try NetworkMachine(beside: internet)
            let machine = try NetworkMachine(beside: router)
            try NetworkMachine.connect(
                .init(internet, home.rawValue, [home.network + ".1/24"]), .init(router, "wan", [home.address + "/24"]))
            let address = "192.168.1.\(home.number)"
            try NetworkMachine.connect(
                .init(router, "lan", [Self.router + "/24"]), .init(machine, "eth0", [address + "/24"]))
            addresses[home] = address
            routers[home] = router
            machines[home] = machine
            try machine.run("echo 1 >/proc/sys/net/ipv4/conf/all/promote_secondaries; " + Self.leave(by: Self.router))
            try router.run(Self.forward + Self.leave(by: home.network + ".1"))
            try router.run("nft -f - <<'END'\n\(Self.counters(home))END")
        }
        (self.routers, self.machines) = (routers, machines)
        let servers = ([Self.rendezvous] + Self.turn).map { "ip address add \($0)/32 dev lo;" }
        try internet.run(Self.forward + servers.joined() + Self.leave(by: "100.64.0.2"))
        for home in Home.allCases { try setRouter(.portRestricted, of: home) }
    }

    private static let forward =
        "echo 1 >/proc/sys/net/ipv4/ip_forward; echo 1 >/proc/sys/net/ipv6/conf/all/forwarding 2>/dev/null || true;"

    private static func leave(by router: String) -> String { "ip route replace default via \(router);" }

    /// The bytes that a router has let in from outside, by way: counted behind the rules that drop.
    private static func counters(_ home: Home) -> String {
        """
        table inet count {
            \(Way.allCases.map { "counter \($0) { }" }.joined(separator: "\n    "))
            chain forward {
                type filter hook forward priority filter + 10;
                iifname "wan" ip saddr \(home.other.address) counter name direct
                iifname "wan" ip6 saddr \(home.other.network6):/64 counter name direct
                iifname "wan" ip saddr { \(turn.joined(separator: ", ")) } counter name relayed
                iifname "wan" ip saddr \(rendezvous) counter name rendezvous
            }
        }

        """
    }

    /// A home's machine, where programs run.
    package func machine(_ home: Home) -> NetworkMachine { machines[home]! }
    package func router(_ home: Home) -> NetworkMachine { routers[home]! }
    package func address(_ home: Home) -> String { addresses[home]! }

    /// Changes a router's kind. UDP's mappings are forgotten, as by a router that was restarted; TCP's stay.
    package func setRouter(_ kind: RouterKind, of home: Home) throws {
        // conntrack fails where there is nothing to delete.
        try router(home).run("nft -f - <<'END'\n\(kind.rules)END\nconntrack -D -p udp >/dev/null 2>&1 || true")
    }

    /// Gives a home's machine another address, and takes the one before away.
    package func readdress(_ home: Home) throws {
        let before = address(home)
        let next = "192.168.1.\(before.hasSuffix("0") ? home.number + 1 : home.number)"
        try machine(home).run(
            "ip address add \(next)/24 dev eth0; ip address del \(before)/24 dev eth0; " + Self.leave(by: Self.router))
        addresses[home] = next
    }

    /// Gives a home IPv6 by a router that lets in what answers, or takes it away. The servers have none.
    package func setIPv6(_ isOn: Bool, at home: Home) throws {
        let network = home.network6
        let verb = isOn ? "add" : "del"
        // The ends of a cable are fe80::1, on the internet's side, and fe80::2.
        try machine(home).run(
            "ip address \(verb) \(network):\(home.number)/64 dev eth0 \(isOn ? "nodad" : "")"
                + (isOn ? "; ip route replace default via fe80::1 dev eth0" : ""))
        try router(home).run("ip route \(isOn ? "replace" : "del") \(network):/64 dev lan")
        if isOn { try router(home).run("ip route replace default via fe80::1 dev wan") }
        try internet.run("ip route \(isOn ? "replace" : "del") \(network):/64 via fe80::2 dev \(home.rawValue)")
    }

    /// True if a TCP connection to an address is accepted within a second.
    package func reaches(_ address: String, _ port: Int, from home: Home) throws -> Bool {
        try machine(home).run("\(Self.connect(address, port)) 2>/dev/null && echo yes || true") == "yes\n"
    }

    /// Sends a line and an empty one by TCP; returns the first line of the answer, empty if there is none within 2 s.
    package func ask(_ line: String, _ address: String, _ port: Int, from home: Home) throws -> String {
        let talk = "exec 3<>/dev/tcp/\(address)/\(port); printf \"\(line)\\r\\n\\r\\n\" >&3; head -n 1 <&3"
        return try machine(home).run("timeout 2 bash -c '\(talk)' 2>/dev/null || true")
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func connect(_ address: String, _ port: Int) -> String {
        "timeout 1 bash -c 'exec 3<>/dev/tcp/\(address)/\(port)'"
    }

    /// True if the TURN server answers STUN by UDP within a second.
    package func hasUDP(at home: Home) throws -> Bool {
        try machine(home).run("timeout 1 turnutils_stunclient -p \(Self.turnPort) \(Self.turn[0]) 2>&1 || true")
            .contains("UDP reflexive addr")
    }

    /// The bytes that have come to a home from outside, by way, since the world began.
    package func received(at home: Home) throws -> [Way: Int] {
        let text = try router(home).run("nft list counters table inet count")
        return Dictionary(
            uniqueKeysWithValues: text.matches(of: /counter ([a-z]+) \{\s+packets \d+ bytes (\d+)/).compactMap {
                match in
                Way(rawValue: String(match.output.1)).map { ($0, Int(match.output.2) ?? 0) }
            })
    }
}
