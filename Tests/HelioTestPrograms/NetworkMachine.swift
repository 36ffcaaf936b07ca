package import Foundation

/// A machine's network: a network namespace with loopback, and cables to other machines. Programs in it see only these.
/// Ends with this object.
///
/// Needs no privileges if the system permits user namespaces to everybody.
package final class NetworkMachine {
    /// One end of a cable: addresses with prefix lengths, such as `10.98.0.1/24` or `fd00:98::1/64`.
    package struct End {
        package var machine: NetworkMachine
        /// The name of its interface.
        package var name: String
        package var addresses: [String]

        package init(_ machine: NetworkMachine, _ name: String, _ addresses: [String]) {
            self.machine = machine
            self.name = name
            self.addresses = addresses
        }
    }

    private let holder: RunningProgram
    /// The holder's standard input: its end, which comes with this process's at the latest, ends the holder.
    private let life = Pipe()
    private let enter: [String]
    /// The machine inside whose user namespace this one was made, and to which it can have cables.
    private let first: NetworkMachine?

    /// - Parameters:
    ///   - other: a machine to which this one can have a cable.
    ///   - hasIPv6: whether it has IPv6 at all.
    package init(beside other: NetworkMachine? = nil, hasIPv6: Bool = true) throws {
        first = other
        let off = hasIPv6 ? "" : "echo 1 >/proc/sys/net/ipv6/conf/all/disable_ipv6;"
        var command = ["unshare"]
        // A machine's owner has no privileges beyond its namespace; the second machine is made inside the first one's.
        if other == nil, geteuid() != 0 { command += ["--user", "--map-root-user"] }
        // Sockets of X and of browsers are files, which no network namespace separates.
        command += ["--net", "--", "/bin/sh", "-ec", Self.path + off + "ip link set lo up; echo ready; exec cat"]
        let whole = (other?.enter ?? []) + command
        holder = try RunningProgram(
            "/usr/bin/env", whole, environment: [:], standardInput: life.fileHandleForReading)
        try holder.line(with: "ready")
        let process = "\(holder.processIdentifier)"
        let user = geteuid() == 0 ? [] : ["--user", "--preserve-credentials"]
        enter = ["/usr/bin/nsenter"] + user + ["--net", "--target", process, "--"]
    }

    private static let path = "PATH=$PATH:/usr/sbin:/sbin;"

    deinit { holder.kill() }

    /// Returns the command that runs a program in this machine's network.
    package func command(_ words: [String]) -> [String] { enter + words }

    /// Starts a program in this machine's network.
    package func start(
        _ program: String, _ arguments: [String], environment: [String: String] = [:],
        standardInput: FileHandle = .nullDevice
    ) throws -> RunningProgram {
        try RunningProgram(
            enter[0], enter.dropFirst() + [program] + arguments, environment: environment,
            standardInput: standardInput)
    }

    /// Runs a shell script as the machine's root; returns its output, and throws with it if the script fails.
    @discardableResult
    package func run(_ script: String) throws -> String {
        let shell = try start("/bin/sh", ["-ec", Self.path + script])
        guard shell.waitUntilExit() == 0 else {
            throw RunningProgram.Ended(description: "\(script)\n\(shell.text)")
        }
        return shell.text
    }

    /// Connects two machines by a cable; one must have been made beside the other. Both ends are up when this returns.
    ///
    /// With IPv6, the ends have the link-local addresses `fe80::1` and `fe80::2`.
    package static func connect(_ one: End, _ other: End) throws {
        precondition(other.machine.first === one.machine, "the second machine was made beside the first")
        try one.machine.run(
            "ip link add \(one.name) type veth peer name \(other.name);"
                + "ip link set \(other.name) netns \(other.machine.holder.processIdentifier)")
        for (end, number) in [(one, 1), (other, 2)] {
            // Disables duplicate address detection and automatic addresses.
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
