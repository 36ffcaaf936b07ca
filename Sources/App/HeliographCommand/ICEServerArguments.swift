internal import ArgumentParser

/// The arguments for STUN and TURN servers.
struct ICEServerArguments: ParsableArguments {
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
            valueName: "file"), completion: .file())
    var turnCredentials: String?

    @Option(
        help: ArgumentHelp(
            "File with the secret of the TURN servers (coturn's use-auth-secret), readable by you alone. Or set \(variable).",
            valueName: "file"), completion: .file())
    var turnSecret: String?

    static let variable = "HELIOGRAPH_TURN_SECRET"

    var hasTURN: Bool { iceServer.contains { Self.isTURN($0) } }

    func validate() throws {
        if iceServer.contains(where: { $0.contains("@") }) {
            // The URL is not quoted, as it may contain a password.
            ProcessTitle.hideArguments()
            throw ValidationError(
                "--ice-server: no user and password there, others can read the command line. Give --turn-credentials FILE."
            )
        }
        if turnCredentials != nil, turnSecret != nil {
            throw ValidationError("--turn-credentials and --turn-secret: give one of them.")
        }
        if hasTURN, turnCredentials == nil, turnSecret == nil, !SecretVariable.isSet(Self.variable) {
            throw ValidationError(
                "A TURN server wants to know who comes: give --turn-credentials FILE, or --turn-secret FILE.")
        }
        if turnSecret != nil, !hasTURN {
            throw ValidationError("--turn-secret: give --ice-server turn:HOST too.")
        }
        if turnCredentials != nil, !hasTURN {
            throw ValidationError("--turn-credentials: give --ice-server turn:HOST too.")
        }
    }

    /// Reads the secret that is shared with the TURN servers from the file, or else from the environment variable,
    /// which is then removed; `nil` if there is no secret, or if credentials are given instead.
    func takeSecret() throws -> String? {
        let variable = SecretVariable.take(Self.variable)
        guard hasTURN, turnCredentials == nil else { return nil }
        let secret = try turnSecret.map { try TURNCredentialsFile.readSecret($0) } ?? variable
        guard secret?.isEmpty != true else { throw ValidationError("\(Self.variable) is empty: set it to the secret.") }
        return secret
    }

    /// Returns the servers; TURN servers get the credentials from the file, if there is one.
    func servers() throws -> [Server] {
        let credentials = try turnCredentials.map { try TURNCredentialsFile.read($0) }
        return iceServer.map { url in
            let known = Self.isTURN(url) ? credentials : nil
            return Server(url: url, username: known?.username ?? "", password: known?.password ?? "")
        }
    }

    private static func isTURN(_ url: String) -> Bool { url.lowercased().hasPrefix("turn:") }
}
