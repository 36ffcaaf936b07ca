import Foundation
import HelioTestPrograms

/// A program that receives by SRT and writes the stream to a file.
final class Receiver {
    let program: RunningProgram
    private let file: URL

    private init(_ command: [String]) throws {
        file = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        // The standard output is the file; the standard error is read.
        program = try RunningProgram(
            "sh", ["-c", "exec \"$@\" 3>&1 >\"$HELIO_FILE\" 2>&3", "sh"] + command,
            environment: ["HELIO_FILE": file.path])
    }

    deinit { try? FileManager.default.removeItem(at: file) }

    /// - Parameter parameters: of the SRT address, for example `mode=listener`.
    static func transmit(_ port: UInt16, _ parameters: String) throws -> Receiver {
        try Receiver([
            "srt-live-transmit", "-a:no", "-ll:fatal", "srt://127.0.0.1:\(port)?latency=1000&\(parameters)",
            "file://con",
        ])
    }

    /// Starts FFmpeg, which writes the digest of each picture as soon as it has decoded it.
    ///
    /// - Parameter pictures: the number after which it exits.
    static func ffmpeg(_ port: UInt16, _ parameters: String, pictures: Int = 1000) throws -> Receiver {
        try Receiver([
            "ffmpeg", "-hide_banner", "-nostdin", "-v", "error", "-analyzeduration", "500000",
            "-i", "srt://127.0.0.1:\(port)?latency=1000000&\(parameters)", "-map", "0:v", "-fps_mode", "passthrough",
            "-frames:v", "\(pictures)", "-flush_packets", "1", "-f", "framemd5", "-",
        ])
    }

    /// The bytes that the program has written into the file so far.
    var written: [UInt8] { [UInt8](FileManager.default.contents(atPath: file.path) ?? Data()) }

    /// Waits until the program has exited, and returns all that it wrote.
    func finish() -> [UInt8] {
        _ = program.waitUntilExit()
        return written
    }
}
