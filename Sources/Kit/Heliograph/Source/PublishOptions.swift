public import HelioCore
internal import HelioProtection
internal import HelioRTSPClient
private import HelioRTSPServer
public import HelioSharing

/// The options for publishing the stream to another program's RTSP server (ANNOUNCE and RECORD), such as a media
/// server. Its viewers can't drive the machine.
///
/// The stream is not encrypted unless the URL begins with `rtsps://`.
public struct PublishOptions: Sendable {
    let address: RTSPAddress
    /// True to send media interleaved in the RTSP connection instead of over UDP, for networks that lose or block UDP.
    ///
    /// If false, interleaving is only the fallback when the server refuses UDP.
    public var isInsideConnection = false
    /// The codec of the published sound, if sound is shared: AAC, which all servers support, or Opus, which has less
    /// latency; `nil` publishes no sound.
    public var sound: SoundAttributes.Format? = .aac

    /// Makes options for a server, from its URL.
    ///
    /// - Parameters:
    ///   - url: `rtsp://[USER@]HOST[:PORT]/PATH`, or `rtsps://` for TLS, with `#sha256=FINGERPRINT` if no trusted
    ///     authority has signed the server's certificate.
    ///   - credentials: the user name and password for the server's digest authentication.
    ///
    /// Throws `invalidArgument`, without quoting the URL, if it is malformed or contains a password, or if it names a
    /// user without credentials or another user than `credentials`.
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

    /// The URL for display, without user name and query, which may hold a secret.
    public var shownURL: String { String(address.uri.prefix { $0 != "?" }) }
    /// True for an `rtsps://` URL: media are then sent interleaved in the RTSP connection, which uses TLS. False for
    /// `rtsp://`.
    public var isEncrypted: Bool { address.isSecure }
}
