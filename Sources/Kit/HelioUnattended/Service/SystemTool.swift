private import Dispatch
private import Foundation
package import HelioCore

/// Runs the system's programs, such as `systemctl`, by their names in `$PATH`.
package struct SystemTool: Sendable {
    package struct Result: Sendable, Equatable {
        package var status: Int32
        package var text: String

        package init(status: Int32, text: String) {
            self.status = status
            self.text = text
        }

        /// The last line of the text, for an error.
        package var lastLine: String {
            String(text.split(whereSeparator: \.isNewline).last ?? "it has said nothing")
        }
    }

    /// The most bytes of a program's output that are kept.
    private static let longestOutput = 256 * 1024

    private let environment: [String: String]?

    /// - Parameter environment: the programs' variables; `nil` for this process's own.
    package init(environment: [String: String]? = nil) { self.environment = environment }

    /// Returns a long option of such a program, with two dashes: alone, or with a value behind an equals sign.
    package static func option(_ name: String, _ value: String? = nil) -> String {
        "--" + name + (value.map { "=" + $0 } ?? "")
    }

    /// Runs a program to its end, and returns its exit status and output; blocks the thread.
    ///
    /// - Parameters:
    ///   - command: the program's name, and its arguments.
    ///   - errors: true to include standard error in the output.
    ///   - limit: the time after which the program is ended.
    ///
    /// Throws `systemFailed` if there is no such program, or it does not end within the limit.
    package func run(
        _ command: [String], errors: Bool = false, within limit: Duration = .seconds(5)
    ) throws(HelioError) -> Result {
        let name = command.first ?? ""
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        if let environment { process.environment = environment }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = errors ? pipe : FileHandle.nullDevice
        do { try process.run() } catch {
            throw HelioError(.systemFailed, "\(name) can't be run.", cause: error)
        }
        let milliseconds =
            Int(limit.components.seconds) * 1000 + Int(limit.components.attoseconds / 1_000_000_000_000_000)
        let identifier = process.processIdentifier
        let end = DispatchWorkItem { kill(identifier, SIGKILL) }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .milliseconds(milliseconds), execute: end)
        var data = Data()
        while true {
            let piece = pipe.fileHandleForReading.availableData
            if piece.isEmpty { break }
            if data.count < Self.longestOutput { data += piece }
        }
        process.waitUntilExit()
        end.cancel()
        if process.terminationReason == .uncaughtSignal {
            throw HelioError(.systemFailed, "\(name) does not answer.")
        }
        if process.terminationStatus == 127 { throw HelioError(.systemFailed, "There is no program \(name) here.") }
        return Result(
            status: process.terminationStatus,
            text: String(decoding: data.prefix(Self.longestOutput), as: UTF8.self))
    }
}
