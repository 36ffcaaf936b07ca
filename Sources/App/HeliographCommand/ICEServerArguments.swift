internal import ArgumentParser

/// The arguments for STUN and TURN servers.
struct ICEServerArguments: ParsableArguments {
    /// A server with its credentials.
    struct Server {
        var url: String
        var username: String
        var password: String
    }

    @Option(
        help: ArgumentHelp(
            "stun:HOST[:PORT] or turn:HOST[:PORT][?transport=tcp]. Repeatable. Without: only what can be reached directly.",
            valueName: "url"))
    var iceServer: [String] = []

    @Option(
        help: ArgumentHelp(
            "File with user name and password for the TURN servers, on two lines or as USER:PASSWORD, readable by you alone.",
            valueName: "file"))
    var turnCredentials: String?

    var hasTURN: Bool { iceServer.contains { Self.isTURN($0) } }

    func validate() throws {
        if iceServer.contains(where: { $0.contains("@") }) {
            // The URL is not quoted, as it may contain a password.
            ProcessTitle.hideArguments()
            throw ValidationError(
                "--ice-server: no user and password there, others can read the command line. Give --turn-credentials FILE."
            )
        }
        if hasTURN, turnCredentials == nil {
            throw ValidationError("A TURN server wants to know who comes: give --turn-credentials FILE.")
        }
        if turnCredentials != nil, !hasTURN {
            throw ValidationError("--turn-credentials: give --ice-server turn:HOST too.")
        }
    }

    /// Returns the servers, with the credentials from the file, if there is one.
    func servers() throws -> [Server] {
        let credentials = try turnCredentials.map { try TURNCredentialsFile.read($0) }
        return iceServer.map { url in
            let known = Self.isTURN(url) ? credentials : nil
            return Server(url: url, username: known?.username ?? "", password: known?.password ?? "")
        }
    }

    private static func isTURN(_ url: String) -> Bool { url.lowercased().hasPrefix("turn:") }
}
