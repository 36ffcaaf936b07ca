package import Foundation

/// A machine as far as its network goes: a namespace of its own, with loopback, and cables to other machines. Programs
/// that run in it see these alone. Ends with this object.
///
/// Needs no rights where the system lets everybody make namespaces.
package final class NetworkMachine {
    /// What each end of a cable has: addresses with their prefix lengths, `10.98.0.1/24` or `fd00:98::1/64`.
    package struct End {
        package var machine: NetworkMachine
        /// The interface's name there.
        package var name: String
        package var addresses: [String]

        package init(_ machine: NetworkMachine, _ name: String, _ addresses: [String]) {
            self.machine = machine
            self.name = name
            self.addresses = addresses
        }
    }

    private let holder: RunningProgram
    private let enter: [String]
    /// Whose cables can be plugged in here: the machine was made inside of that one.
    private let first: NetworkMachine?

    /// - Parameters:
    ///   - other: a machine that this one can have a cable to.
    ///   - hasIPv6: without it, it has no address of IPv6 at all.
    package init(beside other: NetworkMachine? = nil, hasIPv6: Bool = true) throws {
        first = other
        let off = hasIPv6 ? "" : "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6;"
        var command = ["unshare"]
        // Whose machine this is has no rights beyond its own; the second is one of the first's.
        if other == nil, geteuid() != 0 { command += ["--user", "--map-root-user"] }
        // Sockets of X and of browsers are no network's.
        command += ["--net", "--", "/bin/sh", "-ec", Self.path + off + "ip link set lo up; echo ready; exec sleep 900"]
        let whole = (other?.enter ?? []) + command
        holder = try RunningProgram("/usr/bin/env", whole, environment: [:])
        try holder.line(with: "ready")
        let process = "\(holder.processIdentifier)"
        let user = geteuid() == 0 ? [] : ["--user", "--preserve-credentials"]
        enter = ["/usr/bin/nsenter"] + user + ["--net", "--target", process, "--"]
    }

    private static let path = "PATH=$PATH:/usr/sbin:/sbin;"

    deinit { holder.kill() }

    /// What runs a program so that it sees what this machine sees.
    package func command(_ words: [String]) -> [String] { enter + words }

    /// A program that sees what this machine sees.
    package func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        standardInput: FileHandle = .nullDevice
    ) throws -> RunningProgram {
        try RunningProgram(
            enter[0], enter.dropFirst() + [program] + arguments, environment: environment,
            standardInput: standardInput)
    }

    /// Does this in a shell, as the machine's root; throws, with what it said, where that fails.
    package func run(_ script: String) throws {
        let shell = try start("/bin/sh", ["-exc", Self.path + script])
        guard shell.waitUntilExit() == 0 else { throw RunningProgram.Ended(description: shell.text) }
    }

    /// A cable between two machines, of which one was made beside the other. Both ends are up when this returns.
    ///
    /// Every link with IPv6 has `fe80::1` at the one end and `fe80::2` at the other.
    package static func connect(_ one: End, _ other: End) throws {
        precondition(other.machine.first === one.machine, "the second machine was made beside the first")
        try one.machine.run(
            "ip link add \(one.name) type veth peer name \(other.name);"
                + "ip link set \(other.name) netns \(other.machine.holder.processIdentifier)")
        for (end, number) in [(one, 1), (other, 2)] {
            // No address is looked for twice on the link, nor made up by the system.
            var script = "ip link set \(end.name) addrgenmode none || true;"
            for address in end.addresses {
                script += "ip address add \(address) dev \(end.name) \(address.contains(":") ? "nodad" : "");"
            }
            script += "ip link set \(end.name) up;"
            let isOff = "test \"$(cat /proc/sys/net/ipv6/conf/\(end.name)/disable_ipv6 2>/dev/null || echo 1)\" = 1"
            script += "\(isOff) || ip address add fe80::\(number)/64 dev \(end.name) nodad"
            try end.machine.run(script)
        }
    }
}
