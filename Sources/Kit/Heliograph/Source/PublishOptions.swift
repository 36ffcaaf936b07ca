public import HelioCore
internal import HelioProtection
internal import HelioRTSPClient
private import HelioRTSPServer
public import HelioViewing

/// Another program's RTSP server that the stream is pushed to (ANNOUNCE and RECORD), for those who watch there: a media
/// server, say. They can't drive anything.
///
/// What is sent is not encrypted, unless the address begins with `rtsps://`.
public struct PublishOptions: Sendable {
    let address: RTSPAddress
    /// Sends no UDP: the media goes within the RTSP connection, through networks that lose or block UDP.
    ///
    /// Otherwise that is tried where the server refuses UDP.
    public var isInsideConnection = false

    /// - Parameters:
    ///   - url: `rtsp://[USER@]HOST[:PORT]/PATH`, or `rtsps://` for TLS, with `#sha256=FINGERPRINT` where no authority
    ///     vouches for the server's certificate.
    ///   - credentials: what the server asks for, by digest authentication.
    ///
    /// Throws `invalidArgument`, without repeating what it read: for what is no address, for one that holds a password,
    /// and for two users that differ.
    public init(url: String, credentials: RTSPCredentials? = nil) throws(HelioError) {
        guard var address = try? RTSPAddress(parsing: url) else {
            throw HelioError(
                .invalidArgument,
                "The address to publish to can't be read: it goes rtsp://[USER@]HOST[:PORT]/PATH; or rtsps://, with "
                    + "#sha256= and the certificate's fingerprint at its end where no authority vouches for the server."
            )
        }
        if let named = address.credentials {
            guard named.password.bytes.isEmpty else {
                throw HelioError(
                    .invalidArgument, "Leave the password out of the address, where the process list shows it.",
                    remedy: .givePublishCredentials)
            }
            guard let credentials else {
                throw HelioError(
                    .invalidArgument, "The address names a user, and there is no password.",
                    remedy: .givePublishCredentials)
            }
            guard credentials.parsed.username == named.user else {
                throw HelioError(
                    .invalidArgument,
                    "The address and the credentials name different users: leave the user out of the address.")
            }
        }
        address.credentials = credentials.map { .init(user: $0.parsed.username, password: $0.parsed.password) }
        self.address = address
    }

    /// The address as it may be shown: without user and query, which may hold a secret.
    public var shownURL: String { String(address.uri.prefix { $0 != "?" }) }
    /// Whether what is sent is encrypted.
    public var isEncrypted: Bool { address.isSecure }
}
