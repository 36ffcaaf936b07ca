internal import HelioBroadcast
public import HelioCore
internal import HelioProtection

/// The server of a broadcast, with the secret that authenticates the broadcaster: over RTMP, SRT or WHIP.
public struct BroadcastDestination: Sendable {
    enum Place: Sendable {
        case rtmp(RTMPAddress)
        case srt(SRTAddress)
        case whip(WHIPAddress, StreamSecret?)
    }

    let place: Place

    /// Makes a destination from its URL and key.
    ///
    /// - Parameters:
    ///   - url: one of:
    ///     `rtmp://HOST[:PORT]/APPLICATION`; `rtmps://` for TLS, with `#sha256=FINGERPRINT` if no trusted
    ///     authority has signed the server's certificate.
    ///     `srt://HOST:PORT?PARAMETERS`, with `mode=listener` if the other end connects to this machine; a listener
    ///     needs a passphrase unless it is on loopback or has `open=yes`.
    ///     `whips://HOST/PATH` for WHIP, which is the service's `https://` address; `whip://` without TLS.
    ///   - key: for RTMP the stream key, which is required; for SRT further URL parameters, such as `passphrase=…` and
    ///     `streamid=…`, joined by `&`; for WHIP the bearer token. The key appears in no description, event or log.
    ///
    /// Throws `invalidArgument` if the URL is malformed, or if a required key or passphrase is missing. The message
    /// quotes neither argument, as both may hold a secret.
    public init(url: String, key: String? = nil) throws(HelioError) {
        let key = key.flatMap { $0.isEmpty ? nil : $0 }
        if RTMPAddress.isScheme(url) {
            guard let key else {
                throw HelioError(
                    .invalidArgument, "A broadcast by RTMP has a stream key.", remedy: .giveBroadcastKey)
            }
            place = .rtmp(try RTMPAddress(parsing: url, key: StreamSecret(key: SecretBytes(Array(key.utf8)))))
        } else if SRTAddress.isScheme(url) {
            var text = url
            if let key { text += (url.contains("?") ? "&" : "?") + key }
            let address = try SRTAddress(parsing: text)
            try address.requireProtection()
            place = .srt(address)
        } else if WHIPAddress.isScheme(url) {
            let token = try key.map { key throws(HelioError) in try StreamSecret(token: SecretBytes(Array(key.utf8))) }
            place = .whip(try WHIPAddress(parsing: url), token)
        } else {
            throw HelioError(
                .invalidArgument,
                "The address to broadcast to can't be read: it begins with rtmp://, rtmps://, srt:// or whips://.")
        }
    }

    /// The URL for display, without the parts that may hold a secret.
    public var shownURL: String {
        switch place {
        case .rtmp(let address): "\(address)"
        case .srt(let address): "\(address)"
        case .whip(let address, _): "\(address)"
        }
    }

    /// True if the stream is encrypted in transit and the server can't be impersonated. WHIP always encrypts media, but
    /// without TLS for its offer a man in the middle is possible, so `whip://` counts as unencrypted.
    public var isEncrypted: Bool {
        switch place {
        case .rtmp(let address): address.isSecure
        case .srt(let address): address.passphrase != nil
        case .whip(let address, _): address.endpoint.isSecure
        }
    }

    /// True if anybody who can reach this machine may watch: an SRT listener with `open=yes` and no passphrase.
    public var isOpenToAll: Bool {
        guard case .srt(let address) = place else { return false }
        return address.isOpen && address.passphrase == nil
    }
}
