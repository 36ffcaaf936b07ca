import Foundation

/// A simulated machine's mDNS: Debian's D-Bus and Avahi, isolated from the real machine. Ends with this object.
///
/// Its network is its own loopback interface: what it announces there is invisible to others, and resolves to this
/// machine's loopback. Or there is a second machine with a cable between them: then programs can run on either.
/// Programs reach Avahi by `environment`, wherever they run. Within a process, the D-Bus library reads it only once:
/// see `busOfThisProcess`.
package final class AvahiMachine {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// The network between the machines.
    package enum Network {
        /// No other machine.
        case loopback
        /// A cable to a second machine with this name, which has its own D-Bus; see `neighbour`.
        case cable(to: String)
    }

    /// The address to which this process's `DBUS_SYSTEM_BUS_ADDRESS` is set, once and for all.
    package static let busOfThisProcess: String = {
        let path = NSTemporaryDirectory() + "heliograph-dns-sd-\(ProcessInfo.processInfo.processIdentifier).bus"
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(path)", 1)
        return path
    }()

    /// The address families that Avahi uses.
    package enum Family: Sendable {
        case ipv4, ipv6
    }

    private static let programs = ["/usr/bin/dbus-daemon", "/usr/sbin/avahi-daemon", "/usr/bin/unshare"]

    /// The environment of programs on this machine.
    package var environment: [String: String] { Self.environment(bus: bus) }
    /// The environment of programs on the second machine.
    package var neighbour: [String: String] { Self.environment(bus: folder.path + "/neighbour.bus") }

    private let folder: URL
    private let bus: String
    private let host: String
    private let network: Network
    private let families: [Family]
    /// The networks of this machine and of the second one.
    package let machine: NetworkMachine
    package let neighbouringMachine: NetworkMachine?
    private var buses: [LoggedProgram] = []
    private var daemons: [LoggedProgram] = []

    /// - Parameters:
    ///   - families: the address families of the cable.
    ///   - bus: the path of its D-Bus socket; `nil` makes a new one.
    package init(
        _ host: String = "alpha", network: Network = .loopback, families: [Family] = [.ipv4], bus: String? = nil
    ) throws {
        for program in Self.programs where !FileManager.default.isExecutableFile(atPath: program) {
            throw Failure(description: "\(program) is missing: script/install-packages test")
        }
        self.host = host
        self.network = network
        self.families = families
        machine = try NetworkMachine()
        if case .cable = network {
            let second = try NetworkMachine(beside: machine)
            func addresses(_ number: Int) -> [String] {
                families.map { $0 == .ipv4 ? "10.99.0.\(number)/24" : "fd00:99::\(number)/64" }
            }
            try NetworkMachine.connect(.init(machine, "left", addresses(1)), .init(second, "right", addresses(2)))
            neighbouringMachine = second
        } else {
            neighbouringMachine = nil
        }
        folder = FileManager.default.temporaryDirectory.appending(path: "heliograph-avahi-\(UUID().uuidString)")
        self.bus = bus ?? folder.path + "/bus"
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // Avahi requires its own user for a folder that it creates.
        try write("root:x:0:0::/:/bin/sh\navahi:x:0:0::/:/bin/sh\n", "passwd")
        try write("root:x:0:\navahi:x:0:\nnetdev:x:0:\n", "group")
        try startBus()
        try startDaemon()
    }

    deinit {
        killDaemon()
        killBus()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Kills Avahi without a goodbye.
    package func killDaemon() {
        for daemon in daemons { daemon.kill() }
        daemons = []
    }

    /// Stops D-Bus: it accepts calls but answers none, until this object ends.
    package func pause() {
        for bus in buses { bus.send(SIGSTOP) }
    }

    package func startDaemon() throws {
        try write(Self.configuration(host, interface: network.interface, families), "avahi.conf")
        daemons = [try startDaemon(on: machine, "avahi.conf", environment)]
        if case .cable(let other) = network, let neighbouringMachine {
            try write(Self.configuration(other, interface: "right", families), "neighbour.conf")
            daemons.append(try startDaemon(on: neighbouringMachine, "neighbour.conf", neighbour))
        }
        // Logged once others can find the daemon.
        for daemon in daemons { try daemon.wait(for: "Server startup complete") }
    }

    private func startDaemon(
        on machine: NetworkMachine, _ configuration: String, _ environment: [String: String]
    ) throws -> LoggedProgram {
        try LoggedProgram(
            machine.command([
                "/usr/bin/unshare", "--mount", "--propagation", "private", "--", "/bin/bash", "-ec", Self.startScript,
                "avahi", folder.path, configuration,
            ]), environment: environment, folder: folder.path)
    }

    /// Kills D-Bus with all its clients.
    package func killBus() {
        for bus in buses { bus.kill() }
        buses = []
    }

    package func startBus() throws {
        var paths = [bus]
        if case .cable = network { paths.append(folder.path + "/neighbour.bus") }
        buses = try paths.map { path in
            try? FileManager.default.removeItem(atPath: path)
            try write(Self.busConfiguration(path), "bus.conf")
            let program = try LoggedProgram(
                [
                    "/usr/bin/dbus-daemon", "--config-file=\(folder.path)/bus.conf", "--nofork", "--nopidfile",
                    "--print-address",
                ], environment: [:], folder: folder.path)
            try program.wait(for: "unix:path=")
            return program
        }
    }

    /// Starts a program on this machine, and waits until its output contains `word`.
    package func run(_ program: [String], until word: String) throws -> LoggedProgram {
        let running = try LoggedProgram(program, environment: environment, folder: folder.path)
        try running.wait(for: word)
        return running
    }

    /// Starts a program on the second machine, and waits until its output contains `word`.
    package func runOnNeighbour(_ program: [String], until word: String) throws -> LoggedProgram {
        let running = try LoggedProgram(program, environment: neighbour, folder: folder.path)
        try running.wait(for: word)
        return running
    }

    private func write(_ text: String, _ name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private static func environment(bus: String) -> [String: String] {
        ["DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(bus)"]
    }

    /// The bus configuration permits everything to everybody without authentication: user numbers differ within a
    /// namespace.
    private static func busConfiguration(_ path: String) -> String {
        """
        <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
         "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
        <busconfig>
          <type>system</type>
          <listen>unix:path=\(path)</listen>
          <auth>ANONYMOUS</auth>
          <allow_anonymous/>
          <policy context="default">
            <allow user="*"/>
            <allow own="*"/>
            <allow send_destination="*"/>
            <allow receive_sender="*"/>
          </policy>
        </busconfig>
        """
    }

    private static func configuration(_ host: String, interface: String, _ families: [Family]) -> String {
        """
        [server]
        host-name=\(host)
        allow-interfaces=\(interface)
        use-ipv4=\(families.contains(.ipv4) ? "yes" : "no")
        use-ipv6=\(families.contains(.ipv6) ? "yes" : "no")
        enable-dbus=yes
        [wide-area]
        enable-wide-area=no
        [publish]
        publish-hinfo=no
        publish-workstation=no

        """
    }

    /// Starts Avahi in a mount namespace of its own. Avahi closes inherited descriptors, which Foundation takes for its
    /// exit, and would block waiting for it: so it runs as a child of the shell, and ends with it.
    private static let startScript = """
        PATH=$PATH:/usr/sbin:/sbin
        mount -t tmpfs tmpfs /run
        mount -t tmpfs tmpfs /etc/avahi
        mount --bind "$1/passwd" /etc/passwd
        mount --bind "$1/group" /etc/group
        setpriv --pdeathsig KILL avahi-daemon --no-chroot --no-drop-root --no-rlimits --no-proc-title -f "$1/$2" &
        wait
        """
}

extension AvahiMachine.Network {
    fileprivate var interface: String {
        switch self {
        case .loopback: "lo"
        case .cable: "left"
        }
    }
}
