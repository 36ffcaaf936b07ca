package import Foundation

/// Runs a program until it exits, with a time-out.
package enum Tool {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs a program, and returns its standard output; throws if it fails or times out.
    ///
    /// - Parameters:
    ///   - command: the program's name or path, and its arguments.
    ///   - errors: whether standard error is included in the output.
    @discardableResult
    package static func run(
        _ command: [String], environment: [String: String] = [:], errors: Bool = false,
        within limit: Duration = .seconds(60)
    ) throws -> Data {
        let name = command.prefix(2).joined(separator: " ")
        let (process, output) = (Process(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = command
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors ? output : FileHandle.nullDevice
        try process.run()
        try output.fileHandleForWriting.close()
        defer { ProcessTree.kill(process.processIdentifier) }
        let patience = Patience(limit)
        var data = Data()
        while true {
            guard patience.waitToRead(output.fileHandleForReading.fileDescriptor), !patience.isOver else {
                throw Patience.Exhausted(description: "\(name) does not end within \(limit)")
            }
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            data += piece
        }
        guard patience.wait(until: { !process.isRunning }) else {
            throw Patience.Exhausted(description: "\(name) does not end within \(limit)")
        }
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(
                description: "\(name) ended with \(process.terminationStatus). "
                    + String(decoding: data.suffix(2000), as: UTF8.self))
        }
        return data
    }
}
