package import HelioCore

/// Sends the packets that wake machines, on all networks that this machine is on. A packet's content follows from the
/// hardware address alone (`MagicPacket`).
package struct WakeSender: Sendable {
    /// A network that packets are sent on.
    package struct Network: Hashable, Sendable {
        /// This machine's address there, by which the system chooses the interface.
        package var source: IPAddress
        /// The address of all machines on the network.
        package var broadcast: IPAddress

        package init(source: IPAddress, broadcast: IPAddress) {
            self.source = source
            self.broadcast = broadcast
        }
    }

    /// The number of times that each packet is sent, as nobody acknowledges it.
    package static let repetitions = 3
    /// The time between two of them.
    private static let pause = Duration.milliseconds(100)
    /// The maximum number of networks, and of addresses woken at once.
    private static let mostNetworks = 16
    private static let mostAddresses = 4
    /// The address of all machines on the network of the socket (RFC 919).
    private static let everybody = IPAddress.v4(0xFFFF_FFFF)

    private let networks: [Network]
    private let port: UInt16

    /// - Parameters:
    ///   - networks: the networks to send on, of which the first 16 are used.
    ///   - port: the UDP port to send to.
    package init(on networks: [Network] = WakeSender.networks(), port: UInt16 = MagicPacket.port) {
        self.networks = Array(networks.prefix(Self.mostNetworks))
        self.port = port
    }

    /// Returns this machine's networks on which all machines can be addressed at once.
    package static func networks() -> [Network] { networks(of: InterfaceAddress.all()) }

    static func networks(of all: [InterfaceAddress]) -> [Network] {
        all.compactMap { entry in
            guard entry.hasCarrier, !entry.ip.isLoopback, entry.ip.family == .ipv4, let broadcast = entry.broadcast
            else { return nil }
            return Network(source: entry.ip, broadcast: broadcast)
        }
    }

    /// Sends each address' packet three times on each network: to the network's own broadcast address, and to
    /// 255.255.255.255. Takes 0.2 s.
    ///
    /// - Returns: the number of networks on which the system has accepted a packet.
    ///
    /// Throws `unreachable` if there is none.
    package func wake(_ addresses: [HardwareAddress]) async throws(HelioError) -> Int {
        let packets = addresses.prefix(Self.mostAddresses).map { MagicPacket.bytes(for: $0) }
        let sockets = networks.compactMap { network -> (DatagramSocket, [PathID])? in
            guard let socket = try? DatagramSocket(bindTo: "\(network.source)", port: 0), socket.permitBroadcast()
            else { return nil }
            let places = network.broadcast == Self.everybody ? [Self.everybody] : [network.broadcast, Self.everybody]
            return (socket, places.map { PathID($0, port: port) })
        }
        var isReached = [Bool](repeating: false, count: sockets.count)
        for repetition in 0..<Self.repetitions {
            if repetition > 0 { try? await Task.sleep(for: Self.pause) }
            for (index, (socket, places)) in sockets.enumerated() {
                for packet in packets {
                    for place in places where socket.send(packet, to: place) { isReached[index] = true }
                }
            }
        }
        let count = isReached.count { $0 }
        guard count > 0 else {
            throw HelioError(
                .unreachable,
                "No packet could be sent to wake it: this machine is on no network with IPv4, or may not broadcast "
                    + "there.")
        }
        return count
    }
}
