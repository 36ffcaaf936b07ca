import Foundation
import HelioProtection
import HelioTestPrograms

/// Debian's `openssl` as a DTLS peer that no one here wrote.
final class OpenSSLProgram {
    struct Silent: Error, CustomStringConvertible {
        let description: String
    }

    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private(set) var text = ""

    init(_ arguments: [String]) throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = arguments
        process.standardInput = input
        process.standardOutput = output
        process.standardError = output
        try process.run()
        try output.fileHandleForWriting.close()
    }

    deinit { ProcessTree.kill(process.processIdentifier) }

    func write(_ line: String) throws { try input.fileHandleForWriting.write(contentsOf: Data(line.utf8)) }

    /// Reads until `part` was said; gives what follows it on its line.
    func rest(after part: String) throws -> String {
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

    /// A certificate and key of its own, in a folder that the caller removes.
    static func makeCertificate(in folder: URL, key: [String]) throws -> DTLSFingerprint {
        try Tool.run(
            ["openssl", "req", "-x509", "-nodes", "-subj", "/CN=peer", "-days", "2"] + key + [
                "-keyout", folder.appending(path: "key.pem").path, "-out", folder.appending(path: "cert.pem").path,
            ])

        // The fingerprint by the program too: SHA256 Fingerprint=AA:BB...
        let printer = try OpenSSLProgram([
            "x509", "-noout", "-fingerprint", "-sha256", "-in", folder.appending(path: "cert.pem").path,
        ])
        let digits = try printer.rest(after: "Fingerprint=").split(separator: ":")
        guard let fingerprint = DTLSFingerprint(.sha256, digits.compactMap { UInt8($0, radix: 16) }) else {
            throw Silent(description: "no fingerprint")
        }
        return fingerprint
    }
}
