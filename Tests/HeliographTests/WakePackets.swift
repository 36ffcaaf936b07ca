import Foundation
import HelioTestPrograms

/// A neighbour that catches the packets which wake machines, by a UDP socket. Ends with this object.
final class WakePackets {
    private static let program = """
        import socket
        catcher = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        catcher.bind(('', 9))
        print('catching', flush=True)
        while True:
            print(catcher.recv(2048).hex(), flush=True)
        """

    private let catcher: RunningProgram

    init(on machine: NetworkMachine) throws {
        catcher = try machine.start("/usr/bin/python3", ["-c", Self.program])
        try catcher.line(with: "catching")
    }

    deinit { catcher.kill() }

    /// Waits for the packet of a machine with this hardware address; other datagrams are skipped.
    func expect(_ address: String, within limit: Duration = RunningProgram.patience) throws {
        let digits = address.replacingOccurrences(of: ":", with: "")
        let packet = String(repeating: "f", count: 12) + String(repeating: digits, count: 16)
        try catcher.line("a packet for \(address)", within: limit) { $0 == packet }
    }

    /// All that was caught, as hexadecimal digits.
    var caught: [String] { catcher.text.split(separator: "\n").map(String.init).filter { $0 != "catching" } }
}
