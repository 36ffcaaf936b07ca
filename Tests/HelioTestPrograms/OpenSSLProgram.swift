private import Foundation

/// Debian's `openssl` as a third-party TLS or DTLS peer.
package final class OpenSSLProgram {
    package struct Silent: Error, CustomStringConvertible {
        package let description: String
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    package private(set) var text = ""

    package init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try output.fileHandleForWriting.close()
    }

    deinit { ProcessTree.kill(process.processIdentifier) }

    package func write(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(line.utf8)) }

    /// Reads until the output contains `part`; returns the rest of its line.
    package func rest(after part: String) throws -> String {
        let patience = Patience()
        while true {
            if let range = text.range(of: part), let end = text[range.upperBound...].firstIndex(of: "\n") {
                return String(text[range.upperBound..<end]).trimmingCharacters(in: .whitespaces)
            }
            try readMore(for: part, patience)
        }
    }

    private func readMore(for what: String, _ patience: Patience) throws {
        guard patience.waitToRead(output.fileHandleForReading.fileDescriptor), !patience.isOver else {
            throw Silent(description: "no '\(what)' in: \(text)")
        }
        let data = output.fileHandleForReading.availableData
        if data.isEmpty { throw Silent(description: "ended without '\(what)': \(text)") }
        text += String(decoding: data, as: UTF8.self)
    }
}
