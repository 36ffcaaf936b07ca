internal import ArgumentParser
private import Foundation
internal import Heliograph

/// The arguments for RTSP connections to third-party programs: endpoints for players (`share --rtsp`) and publishers
/// (`view --receive`), and a server to publish to (`share --publish`).
enum PlayerArguments {
    static let usualEndpoint = "127.0.0.1:8554"
    static let variable = "HELIOGRAPH_RTSP_CREDENTIALS"
    static let publishVariable = "HELIOGRAPH_PUBLISH_CREDENTIALS"
    static let credentialsHelp = ArgumentHelp(
        "File with one line NAME:PASSWORD that players must show, readable by you alone. Or set \(variable).",
        valueName: "file")
    static let publisherCredentialsHelp = ArgumentHelp(
        "File with one line NAME:PASSWORD that a publisher must show, readable by you alone. Or set \(variable).",
        valueName: "file")
    static let serverCredentialsHelp = ArgumentHelp(
        "File with one line NAME:PASSWORD for that server, readable by you alone. Or set \(publishVariable).",
        valueName: "file")

    /// The options of the endpoint for players; `nil` if none is wanted.
    static func options(endpoint text: String?, credentialsFile: String?) throws -> PlayerOptions? {
        guard let text else { return nil }
        var options = PlayerOptions()
        (options.address, options.port) = try endpoint(text, of: "--rtsp")
        options.credentials = try credentials(file: credentialsFile, of: "--rtsp-credentials")
        return options
    }

    static func receiver(endpoint text: String, credentialsFile: String?) throws -> PublisherOptions {
        var options = PublisherOptions()
        (options.address, options.port) = try endpoint(text, of: "--receive")
        options.credentials = try credentials(file: credentialsFile, of: "--receive-credentials")
        return options
    }

    /// The options of the publication; `nil` if none is wanted.
    static func publication(url: String?, credentialsFile: String?, insideConnection: Bool) throws -> PublishOptions? {
        guard let url else { return nil }
        let credentials = try Self.credentials(
            file: credentialsFile, of: "--publish-credentials", variable: publishVariable)
        var options = try PublishOptions(url: url, credentials: credentials)
        options.isInsideConnection = insideConnection
        return options
    }

    private static func credentials(
        file: String?, of option: String, variable: String = PlayerArguments.variable
    ) throws -> PlayerOptions.Credentials? {
        let line = SecretVariable.take(variable)
        if let file { return try PlayerOptions.Credentials(line: try PrivateFile.read(file, of: option)) }
        return try line.map { try PlayerOptions.Credentials(line: $0) }
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
