import Foundation
import HelioTestPrograms

/// Runs command-line programs of the system.
enum CommandLineTool {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// Runs a program that must succeed; returns its output.
    static func run(_ arguments: [String], environment: [String: String] = [:]) throws -> String {
        String(decoding: try Tool.run(arguments, environment: environment, errors: true), as: UTF8.self)
    }

    /// Decodes a stream with the ffmpeg program into consecutive raw planar pictures.
    static func decode(_ annexB: [UInt8], codec: String, pixelFormat: String) throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("heliograph-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let input = folder.appendingPathComponent("in")
        let output = folder.appendingPathComponent("out")
        try Data(annexB).write(to: input)
        let log = try run([
            "ffmpeg", "-hide_banner", "-loglevel", "warning", "-err_detect", "+crccheck+bitstream+buffer+explode",
            "-f", codec, "-i", input.path, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", pixelFormat,
            output.path,
        ])
        if log.contains("error") || log.contains("concealing") { throw Failure(description: log) }
        return [UInt8](try Data(contentsOf: output))
    }
}
