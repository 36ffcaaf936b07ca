import Foundation

/// A machine's multicast DNS: Debian's D-Bus and Avahi, which no one here wrote, with nothing of this machine's own. Ends
/// with this object.
///
/// Its network is loopback alone, of which it has one of its own: what it announces there is found by nobody else, and
/// leads to this machine's. Or there is a second machine, and a cable to it: then programs can run on either.
/// Programs reach it by `environment`, wherever they run. Within a process, the library of D-Bus reads that once: `inThisProcess`.
package final class AvahiMachine {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// What is between machines.
    package enum Network {
        /// Nothing.
        case loopback
        /// A cable to a second machine of this name. That has a D-Bus of its own, see `neighbour`.
        case cable(to: String)
    }

    /// Where `DBUS_SYSTEM_BUS_ADDRESS` of this process leads to, once and for all.
    package static let busOfThisProcess: String = {
        let path = NSTemporaryDirectory() + "heliograph-dns-sd-\(ProcessInfo.processInfo.processIdentifier).bus"
        setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=\(path)", 1)
        return path
    }()

    /// By which Avahi announces, asks and answers.
    package enum Family: Sendable {
        case ipv4, ipv6
    }

    private static let programs = ["/usr/bin/dbus-daemon", "/usr/sbin/avahi-daemon", "/usr/bin/unshare"]

    /// For programs that are to see what this machine sees.
    package var environment: [String: String] { Self.environment(bus: bus) }
    /// For programs that are to see what the second machine sees.
    package var neighbour: [String: String] { Self.environment(bus: folder.path + "/neighbour.bus") }

    private let folder: URL
    private let bus: String
    private let host: String
    private let network: Network
    private let families: [Family]
    /// What this machine's network is, and the second one's.
    package let machine: NetworkMachine
    package let neighbouringMachine: NetworkMachine?
    private var buses: [LoggedProgram] = []
    private var daemons: [LoggedProgram] = []

    /// - Parameters:
    ///   - families: the cable has addresses of these.
    ///   - bus: the path of its D-Bus; `nil` is one of its own.
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
        // Avahi wants a user of its own for a folder that it makes.
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

    /// Avahi vanishes without a word.
    package func killDaemon() {
        for daemon in daemons { daemon.kill() }
        daemons = []
    }

    /// D-Bus takes calls, and answers none, until this object's end.
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
        // Said when others can find it.
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

    /// D-Bus goes, with all that hangs on it.
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

    /// Starts a program that sees what this machine sees, and waits until it has said `word`.
    package func run(_ program: [String], until word: String) throws -> LoggedProgram {
        let running = try LoggedProgram(program, environment: environment, folder: folder.path)
        try running.wait(for: word)
        return running
    }

    /// The same, on the second machine.
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

    /// Everybody may do everything, without saying who he is: in a namespace users have other numbers.
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

    /// In a namespace whose files are its own. Avahi closes what it inherits, by which Foundation would take
    /// it for ended, and wait for it in the place of all others: so it is the shell's child, and dies with it.
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
