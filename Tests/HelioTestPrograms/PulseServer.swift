import Foundation
import HelioCore

/// PulseAudio's own server in a separate folder: without D-Bus, the machine's devices or a user's settings. Its sinks
/// are audible only by recording their monitors. Ends with this object.
package final class PulseServer {
    /// A null sink, which consumes samples in real time.
    package struct Sink: Sendable {
        package var name: String
        package var rate: Int

        package init(_ name: String, rate: Int = 48000) {
            self.name = name
            self.rate = rate
        }

        var module: String { "module-null-sink sink_name=\(name) rate=\(rate) channels=2" }
    }

    /// The server's address in PulseAudio's notation.
    package let address: String
    private let folder: URL
    private let arguments: [String]
    private var program: LoggedProgram?

    /// - Parameter sinks: the sinks, the first of which is the default.
    package init(_ sinks: [Sink] = [Sink("a")]) throws {
        // The path of a socket must be short.
        folder = URL(fileURLWithPath: "/tmp/heliograph-pulse-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        let socket = folder.appending(path: "native").path
        address = "unix:\(socket)"
        let modules = ["module-native-protocol-unix socket=\(socket) auth-anonymous=1"] + sinks.map(\.module)
        arguments =
            [
                "-n", "--daemonize=no", "--exit-idle-time=-1", "--use-pid-file=no", "--log-level=info",
                "--log-target=stderr",
            ]
            + modules.flatMap { ["-L", $0] }
        try start()
        if let first = sinks.first { try pactl("set-default-sink", first.name) }
    }

    deinit {
        kill()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Starts the server again after `kill`.
    package func start() throws {
        // The server closes inherited descriptors, by which Foundation recognises that a process is running: the shell
        // keeps them open.
        let program = try LoggedProgram(
            ["bash", "-c", "pulseaudio \"$@\"; exit", "bash"] + arguments,
            environment: [
                "HOME": folder.path, "XDG_RUNTIME_DIR": folder.path, "PULSE_RUNTIME_PATH": folder.path + "/run",
                "DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder.path)/none",
                "DBUS_SYSTEM_BUS_ADDRESS": "unix:path=\(folder.path)/none",
            ],
            folder: folder.path)
        self.program = program
        try program.wait(for: "Daemon startup complete")
    }

    /// Kills the server, as a crash does.
    package func kill() {
        guard let program else { return }
        ProcessTree.kill(program.processIdentifier)
        program.kill()
        self.program = nil
    }

    /// The environment of a program that plays or records with this server.
    package var environment: [String: String] { ["PULSE_SERVER": address, "HOME": folder.path] }

    /// Runs `pactl`; returns its output.
    @discardableResult
    package func pactl(_ arguments: String...) throws -> String {
        String(decoding: try Tool.run(["pactl"] + arguments, environment: environment), as: UTF8.self)
    }

    /// Loads another sink; returns its module number.
    package func load(_ sink: Sink) throws -> String {
        try pactl(["load-module"] + sink.module.split(separator: " ").map(String.init))
    }

    /// The number of the module that made a sink.
    package func module(of sink: String) throws -> String? {
        try pactl("list", "short", "modules").split(separator: "\n")
            .first { $0.contains("sink_name=\(sink) ") }?.split(separator: "\t").first.map(String.init)
    }

    /// Starts PulseAudio's player with samples (interleaved, stereo, 48 kHz) on a sink.
    package func play(_ samples: [Float], by sink: String) throws -> RunningProgram {
        let file = folder.appending(path: UUID().uuidString)
        try samples.withUnsafeBytes { try Data($0).write(to: file) }
        return try RunningProgram(
            "pacat", ["--playback", "--raw", "--device=\(sink)", "--latency-msec=20"] + Self.format + [file.path],
            environment: environment)
    }

    /// Records from a source with PulseAudio's recorder: interleaved samples, stereo, 48 kHz.
    package func record(_ source: String, for duration: Duration) throws -> [Float] {
        let count = Int(duration.inSeconds * 48000) * 8
        let command = "exec parec --raw --latency-msec=10 \(Self.format.joined(separator: " ")) --device='\(source)'"
        let data = try Tool.run(
            ["bash", "-c", "head -c \(count) < <(\(command))"], environment: environment, within: .seconds(30))
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    private func pactl(_ arguments: [String]) throws -> String {
        String(decoding: try Tool.run(["pactl"] + arguments, environment: environment), as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static let format = ["--format=float32le", "--rate=48000", "--channels=2"]
}
