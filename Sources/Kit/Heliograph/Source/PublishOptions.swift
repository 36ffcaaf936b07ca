public import HelioCore
internal import HelioProtection
internal import HelioRTSPClient
private import HelioRTSPServer
public import HelioViewing

/// The options to publish the stream to another program's RTSP server (ANNOUNCE and RECORD), for viewers there: a media
/// server, say. They can't drive anything.
///
/// The stream is not encrypted, unless the address begins with `rtsps://`.
public struct PublishOptions: Sendable {
    let address: RTSPAddress
    /// Sends media within the RTSP connection and no UDP, through networks that lose or block UDP.
    ///
    /// Without it that is tried where the server refuses UDP.
    public var isInsideConnection = false
    /// The codec of the sound that is published, where sound is shared: AAC, which all servers take, or Opus, which comes
    /// sooner; `nil` publishes none.
    public var sound: SoundAttributes.Format? = .aac

    /// - Parameters:
    ///   - url: `rtsp://[USER@]HOST[:PORT]/PATH`, or `rtsps://` for TLS, with `#sha256=FINGERPRINT` where no authority
    ///     vouches for the server's certificate.
    ///   - credentials: the name and password that the server asks for, by digest authentication.
    ///
    /// Throws `invalidArgument`, without repeating what it read: for an address that can't be read, for one that holds
    /// a password, and for two users that differ.
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

    /// The address to show: without user and query, which may hold a secret.
    public var shownURL: String { String(address.uri.prefix { $0 != "?" }) }
    /// True where the stream is encrypted.
    public var isEncrypted: Bool { address.isSecure }
}
