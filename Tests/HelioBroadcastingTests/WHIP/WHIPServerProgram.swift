import Foundation
import HelioTestPrograms

/// A WHIP server with a third-party WebRTC stack: `whip.py` beside the other foreign peers.
final class WHIPServerProgram {
    let port: UInt16
    let log: LoggedProgram

    /// - Parameter arguments: additional arguments of the program.
    init(_ stack: String, port: UInt16? = nil, _ arguments: [String] = []) throws {
        guard let port = port ?? LoopbackPort.find() else {
            throw RunningProgram.Ended(description: "no port is free")
        }
        self.port = port
        let program = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../ForeignPeers/Programs/whip.py").standardized.path
        log = try LoggedProgram(
            ["/usr/bin/python3", program, stack, "--port", "\(port)"] + arguments, environment: [:], folder: "/")
        try log.wait(for: "listening")
    }

    var address: String { "whip://127.0.0.1:\(port)/whip/endpoint" }
    var endpoint: String { "127.0.0.1:\(port)" }
}
