/// A port that sharing uses, and the program that has it.
package struct PortFact: Sendable, Equatable {
    package enum Transport: String, Sendable { case tcp, udp }

    package var transport: Transport
    package var number: Int
    /// The inode of the socket that has the port; `nil` if the port is free.
    package var socket: UInt64?
    /// The name of the program that has the socket; `nil` if it can't be known, as for other users' programs.
    package var owner: String?

    package init(_ transport: Transport, _ number: Int, socket: UInt64? = nil, owner: String? = nil) {
        self.transport = transport
        self.number = number
        self.socket = socket
        self.owner = owner
    }

    /// The states of sockets in the kernel's tables: TCP's LISTEN, and UDP's for a socket that is not connected.
    private static let listening: Substring = "0A", unconnected: Substring = "07"

    /// Returns the inode of the socket that has the port, from the kernel's table of sockets (proc_pid_net(5)); `nil`
    /// if none has.
    ///
    /// A row has: number, local address:port, remote address:port, state, queues, timer, retransmits, user, timeout,
    /// inode; addresses and ports are hexadecimal.
    package func socket(in table: String) -> UInt64? {
        for line in table.split(whereSeparator: \.isNewline).dropFirst() {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count > 9, words[3] == (transport == .tcp ? Self.listening : Self.unconnected),
                let port = words[1].split(separator: ":").last, Int(port, radix: 16) == number
            else { continue }
            return UInt64(words[9])
        }
        return nil
    }

    package var name: String { "\(transport.rawValue.uppercased()) \(number)" }
}
