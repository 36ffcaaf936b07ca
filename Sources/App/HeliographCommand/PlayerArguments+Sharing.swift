internal import ArgumentParser
internal import Heliograph

/// The arguments for RTSP by which a host shares: an endpoint for players (`share --rtsp`), and a server to publish to
/// (`share --publish`).
extension PlayerArguments {
    static let publishVariable = "HELIOGRAPH_PUBLISH_CREDENTIALS"
    static let credentialsHelp = ArgumentHelp(
        "File with one line NAME:PASSWORD that players must show, readable by you alone. Or set \(variable).",
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

    /// The options of the publication; `nil` if none is wanted.
    static func publication(url: String?, credentialsFile: String?, insideConnection: Bool) throws -> PublishOptions? {
        guard let url else { return nil }
        let credentials = try Self.credentials(
            file: credentialsFile, of: "--publish-credentials", variable: publishVariable)
        var options = try PublishOptions(url: url, credentials: credentials)
        options.isInsideConnection = insideConnection
        return options
    }
}
