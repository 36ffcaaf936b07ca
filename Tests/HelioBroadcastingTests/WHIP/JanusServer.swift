import Foundation
import HelioTestPrograms

/// Debian's Janus with its video room on loopback, behind a WHIP server. It forwards the media as plain RTP to FFmpeg.
final class JanusServer {
    private static let program = "/usr/bin/janus"
    private static let folder = "/usr/lib/x86_64-linux-gnu/janus"

    let port: UInt16
    private let api: UInt16
    private let forward: [UInt16]
    private let directory: URL
    private let arguments: [String]
    private(set) var janus: LoggedProgram?
    private(set) var whip: WHIPServerProgram?

    /// Prepares the configuration; no process is started yet.
    ///
    /// - Parameter arguments: of the WHIP server program.
    init(_ arguments: [String] = []) throws {
        guard FileManager.default.isExecutableFile(atPath: Self.program) else {
            throw RunningProgram.Ended(description: "\(Self.program) is missing: script/install-packages test")
        }
        let ports = (0..<4).compactMap { _ in LoopbackPort.find() }
        guard ports.count == 4 else { throw RunningProgram.Ended(description: "no port is free") }
        (port, api, forward) = (ports[0], ports[1], [ports[2], ports[3]])
        self.arguments = arguments
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        for (name, text) in [
            ("janus.jcfg", Self.configuration(directory.path)), ("janus.plugin.videoroom.jcfg", "general: {}\n"),
            ("janus.transport.http.jcfg", Self.transport(api)),
            ("video.sdp", Self.description("video \(forward[0]) RTP/AVP 96", "96 H264/90000")),
            ("sound.sdp", Self.description("audio \(forward[1]) RTP/AVP 111", "111 opus/48000/2")),
        ] {
            try text.write(to: directory.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private static func configuration(_ path: String) -> String {
        let others = [
            "audiobridge", "duktape", "echotest", "lua", "nosip", "recordplay", "sip", "streaming", "textroom",
            "videocall", "voicemail",
        ]
        let transports = ["mqtt", "nanomsg", "pfunix", "rabbitmq", "websockets"]
        return """
            general: {
                configs_folder = "\(path)"
                plugins_folder = "\(folder)/plugins"
                transports_folder = "\(folder)/transports"
                debug_level = 3
                session_timeout = 0
            }
            plugins: { disable = "\(others.map { "libjanus_\($0).so" }.joined(separator: ","))" }
            transports: { disable = "\(transports.map { "libjanus_\($0).so" }.joined(separator: ","))" }

            """
    }

    private static func transport(_ port: UInt16) -> String {
        """
        general: { json = "compact" base_path = "/janus" http = true port = \(port) ip = "127.0.0.1" https = false }
        admin: { admin_http = false }

        """
    }

    private static func description(_ media: String, _ map: String) -> String {
        "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=-\nc=IN IP4 127.0.0.1\nt=0 0\nm=\(media)\na=rtpmap:\(map)\n"
    }

    func start() throws {
        let janus = try LoggedProgram(
            [Self.program, "-F", directory.path, "-C", directory.path + "/janus.jcfg", "-o"], environment: [:],
            folder: directory.path)
        self.janus = janus
        guard Patience().wait(until: { LoopbackPort.listens(api, at: "127.0.0.1") }) else {
            throw RunningProgram.Ended(description: "Janus does not listen: \(janus.text)")
        }
        whip = try WHIPServerProgram(
            "janus", port: port,
            ["--api", "\(api)", "--forward", "\(forward[0])", "\(forward[1])"] + arguments)
    }

    func kill() {
        whip?.log.kill()
        janus?.kill()
    }

    /// Starts FFmpeg, which receives the forwarded RTP and prints a digest of each picture, or of each packet of sound.
    func receiver(sound: Bool = false) throws -> LoggedProgram {
        let program = try LoggedProgram(
            [
                "ffmpeg", "-hide_banner", "-nostdin", "-v", "error", "-threads", "1", "-protocol_whitelist",
                "file,udp,rtp", "-i",
                directory.path + (sound ? "/sound.sdp" : "/video.sdp"),
            ] + (sound ? ["-map", "0:a", "-c", "copy"] : ["-map", "0:v", "-fps_mode", "passthrough"])
                + ["-flush_packets", "1", "-f", "framemd5", "-"], environment: [:], folder: "/")
        let port = forward[sound ? 1 : 0]
        guard Patience().wait(until: { LoopbackPort.receives(port) }) else {
            throw RunningProgram.Ended(description: "FFmpeg does not listen: \(program.text)")
        }
        return program
    }
}
