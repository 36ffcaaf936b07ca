public import HelioCore
internal import HelioProtection
internal import HelioRTMPLink
internal import HelioSRTLink
internal import HelioWHIPLink

/// A server that a screen is broadcast to, and the secret by which it knows who broadcasts.
public struct BroadcastDestination: Sendable {
    enum Place: Sendable {
        case rtmp(RTMPAddress)
        case srt(SRTAddress)
        case whip(WHIPAddress, WHIPToken?)
    }

    let place: Place

    /// Makes a destination.
    ///
    /// - Parameters:
    ///   - url: `rtmp://HOST[:PORT]/APPLICATION`; `rtmps://` for TLS, with `#sha256=FINGERPRINT` where no authority
    ///     vouches for the server's certificate; `srt://HOST:PORT?PARAMETERS`, with `mode=listener` where the other
    ///     end connects to this machine, which then wants a passphrase unless it is on loopback or has `open=yes`; or `whips://HOST/PATH` for WHIP, which is the service's own `https://` address,
    ///     `whip://` without TLS.
    ///   - key: the stream key of RTMP, which has to be given; for SRT what the URL leaves out, `passphrase=…` and
    ///     `streamid=…`, with `&` between them; for WHIP the bearer's token. It is in no description, event or log.
    ///
    /// Throws `invalidArgument`, which repeats nothing of either: both may hold a secret.
    public init(url: String, key: String? = nil) throws(HelioError) {
        let key = key.flatMap { $0.isEmpty ? nil : $0 }
        if RTMPAddress.isScheme(url) {
            guard let key else {
                throw HelioError(
                    .invalidArgument, "A broadcast by RTMP has a stream key.", remedy: .giveBroadcastKey)
            }
            place = .rtmp(try RTMPAddress(parsing: url, key: RTMPKey(SecretBytes(Array(key.utf8)))))
        } else if SRTAddress.isScheme(url) {
            var text = url
            if let key { text += (url.contains("?") ? "&" : "?") + key }
            let address = try SRTAddress(parsing: text)
            try address.requireProtection()
            place = .srt(address)
        } else if WHIPAddress.isScheme(url) {
            let token = try key.map { key throws(HelioError) in try WHIPToken(SecretBytes(Array(key.utf8))) }
            place = .whip(try WHIPAddress(parsing: url), token)
        } else {
            throw HelioError(
                .invalidArgument,
                "The address to broadcast to can't be read: it begins with rtmp://, rtmps://, srt:// or whips://.")
        }
    }

    /// The address to show: without anything that may be a secret.
    public var shownURL: String {
        switch place {
        case .rtmp(let address): "\(address)"
        case .srt(let address): "\(address)"
        case .whip(let address, _): "\(address)"
        }
    }

    /// True where nobody on the way can see the stream. Of WHIP the picture always is, but without TLS whoever passes the
    /// offer on could put himself between.
    public var isEncrypted: Bool {
        switch place {
        case .rtmp(let address): address.isSecure
        case .srt(let address): address.passphrase != nil
        case .whip(let address, _): address.endpoint.isSecure
        }
    }

    /// True where whoever reaches this machine may watch, without any proof.
    public var isOpenToAll: Bool {
        guard case .srt(let address) = place else { return false }
        return address.isOpen && address.passphrase == nil
    }
}
