internal import ArgumentParser
private import Foundation
internal import Heliograph

/// `--rtsp` and `--rtsp-credentials`.
enum PlayerArguments {
    static let usualEndpoint = "127.0.0.1:8554"
    static let variable = "HELIOGRAPH_RTSP_CREDENTIALS"
    static let credentialsHelp = ArgumentHelp(
        "File with one line NAME:PASSWORD that players must show, readable by you alone. Or set \(variable).",
        valueName: "file")

    /// `nil` where no endpoint is wanted.
    static func options(endpoint text: String?, credentialsFile: String?) throws -> PlayerOptions? {
        guard let text else {
            if credentialsFile != nil { throw ValidationError("--rtsp-credentials: give --rtsp too.") }
            return nil
        }
        var options = PlayerOptions()
        (options.address, options.port) = try endpoint(text)
        if let credentialsFile {
            options.credentials = try PlayerOptions.Credentials(line: try read(credentialsFile))
        } else if let line = ProcessInfo.processInfo.environment[variable] {
            options.credentials = try PlayerOptions.Credentials(line: line)
        }
        // The programs that this one starts have no use for it.
        unsetenv(variable)
        return options
    }

    /// `HOST:PORT`, `[IPV6]:PORT` or `HOST` alone.
    static func endpoint(_ text: String) throws -> (address: String, port: Int) {
        var address = text
        var port: Int? = 8554
        if let colon = text.lastIndex(of: ":"), text.hasSuffix("]") == false,
            text.hasPrefix("[") || text.firstIndex(of: ":") == colon
        {
            address = String(text[..<colon])
            port = Int(text[text.index(after: colon)...])
        }
        if address.hasPrefix("["), address.hasSuffix("]") { address = String(address.dropFirst().dropLast()) }
        guard let port, (0...65535).contains(port), !address.isEmpty else {
            throw ValidationError("--rtsp \(text): give HOST:PORT, such as \(usualEndpoint).")
        }
        return (address, port)
    }

    private static func read(_ path: String) throws -> String {
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue,
            let text = try? String(contentsOfFile: path, encoding: .utf8)
        else {
            throw ValidationError("--rtsp-credentials \(path): there is no such file, or it can't be read.")
        }
        guard mode & 0o077 == 0 else {
            throw ValidationError(
                "--rtsp-credentials \(path): other users of this machine can read it. Keep it to yourself: chmod 600.")
        }
        return text
    }
}
