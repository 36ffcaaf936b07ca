internal import ArgumentParser
private import Foundation
internal import HelioViewing

/// The arguments for RTSP connections to third-party programs. Here what watching needs: an endpoint for publishers
/// (`view --receive`).
enum PlayerArguments {
    static let usualEndpoint = "127.0.0.1:8554"
    static let variable = "HELIOGRAPH_RTSP_CREDENTIALS"
    static let publisherCredentialsHelp = ArgumentHelp(
        "File with one line NAME:PASSWORD that a publisher must show, readable by you alone. Or set \(variable).",
        valueName: "file")

    /// The options of the endpoint for publishers.
    static func receiver(endpoint text: String, credentialsFile: String?) throws -> PublisherOptions {
        var options = PublisherOptions()
        (options.address, options.port) = try endpoint(text, of: "--receive")
        options.credentials = try credentials(file: credentialsFile, of: "--receive-credentials")
        return options
    }

    /// The credentials in a file, else in the environment's variable; `nil` where neither is given.
    static func credentials(
        file: String?, of option: String, variable: String = PlayerArguments.variable
    ) throws -> RTSPCredentials? {
        let line = SecretVariable.take(variable)
        if let file { return try RTSPCredentials(line: try PrivateFile.read(file, of: option)) }
        return try line.map { try RTSPCredentials(line: $0) }
    }

    /// Parses `HOST:PORT`, `[IPV6]:PORT` or `HOST`; the default port is 8554.
    static func endpoint(_ text: String, of option: String) throws -> (address: String, port: Int) {
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
            throw ValidationError("\(option) \(text): give HOST:PORT, such as \(usualEndpoint).")
        }
        return (address, port)
    }
}
