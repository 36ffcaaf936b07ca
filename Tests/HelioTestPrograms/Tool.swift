package import Foundation

/// Runs a program to its end, within time.
package enum Tool {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// What it writes to its standard output; one that fails or does not end is an error.
    ///
    /// - Parameters:
    ///   - command: the program as it is found, and its arguments.
    ///   - errors: whether what it complains of is part of the output.
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
