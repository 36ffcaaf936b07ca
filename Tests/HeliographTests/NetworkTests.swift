import Foundation
import HelioCore
import HelioTestLanes
import HelioTestPrograms
import Testing

/// `heliograph share` and its viewers on machines with each kind of network.
@Suite("IPv4, IPv6, both, several interfaces", .serialized, .timeLimit(.minutes(5)), .tags(.quiet))
struct NetworkTests {
    /// The kind of network between the sharing and the viewing machine.
    enum Network: String, CaseIterable, CustomTestStringConvertible {
        case ipv4 = "IPv4 alone"
        case ipv6 = "IPv6 alone"
        case linkLocal = "link-local IPv6 alone"
        case both = "IPv4 and IPv6"

        var testDescription: String { rawValue }

        /// The addresses of both ends.
        var ends: (host: [String], viewer: [String]) {
            let ipv4 = (host: ["10.98.0.1/24"], viewer: ["10.98.0.2/24"])
            let ipv6 = (host: ["fd00:98::1/64"], viewer: ["fd00:98::2/64"])
            return switch self {
            case .ipv4: ipv4
            case .ipv6: ipv6
            case .linkLocal: ([], [])
            case .both: (ipv4.host + ipv6.host, ipv4.viewer + ipv6.viewer)
            }
        }

        /// The addresses at which the viewer finds the host, with brackets for IPv6; that of the link first.
        var places: [String] {
            switch self {
            case .ipv4: ["10.98.0.1"]
            case .ipv6: ["[fd00:98::1]"]
            case .linkLocal: ["[fe80::1%right]"]
            case .both: ["10.98.0.1", "[fd00:98::1]", "[fe80::1%right]"]
            }
        }
    }

    @Test(
        "watching by the link, by an address with a code and paired, and by an ordinary player",
        arguments: Network.allCases)
    func watching(over network: Network) throws {
        let host = try NetworkMachine(hasIPv6: network != .ipv4)
        let viewer = try NetworkMachine(beside: host, hasIPv6: network != .ipv4)
        try NetworkMachine.connect(
            .init(host, "left", network.ends.host), .init(viewer, "right", network.ends.viewer))
        let shared = try SharedMachine(host)
        // A link-local address has a zone that is meaningless on other machines.
        let place = network == .linkLocal ? "[fe80::1]" : network.places[0]
        let link = try shared.newLink()
        let also = network == .both ? "?also=fd00:98::1" : ""
        #expect(link.hasPrefix("heliograph://\(place):7236/\(also)#"), "\(link)")
        try shared.watch(from: viewer, [link])
        for place in network.places {
            try shared.watch(from: viewer, ["\(place):7236", "--code", try shared.newCode()])
            try shared.play(from: viewer, place)
        }
        try shared.pairAndWatch(from: viewer, network.places[0])
    }

    /// IPv4 reaches only the machine itself; IPv6 reaches others.
    @Test(
        "a machine whose only IPv4 address is loopback", arguments: ["127.0.0.1", "[::1]", "[fd00:98::1]", "localhost"])
    func loopback(_ place: String) throws {
        let machine = try NetworkMachine()
        let other = try NetworkMachine(beside: machine)
        try NetworkMachine.connect(.init(machine, "left", ["fd00:98::1/64"]), .init(other, "right", ["fd00:98::2/64"]))
        let shared = try SharedMachine(machine)
        #expect(try shared.link.hasPrefix("heliograph://[fd00:98::1]:7236/#"))
        try shared.watch(from: machine, ["\(place):7236", "--code", try shared.newCode()])
        try shared.play(from: machine, place)
    }

    @Test("a host with two networks is reached from both, each with its own picture")
    func severalInterfaces() throws {
        let host = try NetworkMachine()
        let viewers = try (0..<2).map { _ in try NetworkMachine(beside: host) }
        for (index, viewer) in viewers.enumerated() {
            try NetworkMachine.connect(
                .init(host, "left\(index)", ["10.98.\(index).1/24", "fd00:98:\(index)::1/64"]),
                .init(viewer, "right", ["10.98.\(index).2/24", "fd00:98:\(index)::2/64"]))
        }
        let shared = try SharedMachine(host)
        for (index, viewer) in viewers.enumerated() {
            for place in ["10.98.\(index).1", "[fd00:98:\(index)::1]", "[fe80::1%right]"] {
                try shared.watch(from: viewer, ["\(place):7236", "--code", try shared.newCode()])
            }
        }
    }
}
