private import Foundation
internal import HelioAdmission
internal import HelioCore
private import HelioProtection
internal import HelioRTSPClient
internal import HelioSession
internal import HelioSharing

/// The target of a viewer: a Heliograph host by its link, a stream of another program's RTSP server, or the stream that
/// another program publishes to this one.
enum ViewTarget: Sendable {
    case link(ShareLink)
    case stream(RTSPAddress)
    case publisher(PublisherOptions)

    /// Parses a link or an address. Throws `invalidArgument`; the message never contains a secret.
    ///
    /// - Parameter environment: provides user and password for a stream whose address has none.
    init(
        parsing text: String, code: String?, environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(HelioError) {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard RTSPAddress.isScheme(text) else {
            self = .link(try HostPairing.link(for: text, code: code))
            return
        }
        if code != nil {
            throw HelioError(
                .invalidArgument, "A code belongs to a Heliograph host's address, not to rtsp://.",
                remedy: .leaveOutCode)
        }
        var address = try RTSPAddress(parsing: text)
        if address.credentials == nil, let user = environment["HELIOGRAPH_RTSP_USER"], !user.isEmpty {
            let password = environment["HELIOGRAPH_RTSP_PASSWORD"] ?? ""
            address.credentials = .init(user: user, password: SecretBytes(Array(password.utf8)))
        }
        self = .stream(address)
    }

    var host: String {
        switch self {
        case .link(let link): link.host
        case .stream(let address): address.host
        case .publisher(let options): options.address
        }
    }

    /// Stores the name that the host gives itself, unless a pairing or an announcement has provided a name.
    mutating func take(name: String) {
        guard case .link(var link) = self, link.name == nil else { return }
        link.name = name
        self = .link(link)
    }

    /// The host's name if a pairing, an announcement or the host itself has provided it, otherwise its address.
    var shownHost: String {
        if case .link(let link) = self, let name = link.name { name } else { host }
    }

    /// True for another program's stream: it accepts no input, and its frames may be sent in another order than they
    /// are shown.
    var isForeign: Bool {
        if case .link = self { false } else { true }
    }

    /// True if this end waits for other programs that publish a stream, one at a time.
    var awaitsPublisher: Bool {
        if case .publisher = self { true } else { false }
    }

    /// True if reconnecting needs no ticket: the pairing, or the stream's address, is enough.
    var comesBackByItself: Bool {
        switch self {
        case .link(let link): link.device != nil
        case .stream: true
        // A publisher reconnects to the endpoint by itself.
        case .publisher: false
        }
    }

    /// Replaces the link's secret by the ticket that the host has issued for reconnecting.
    mutating func use(ticket: [UInt8]) {
        guard case .link(var link) = self else { return }
        // A call to the host is still made with the first secret, which the host knows callers by.
        link.callSecret = link.callSecret ?? link.secret
        link.secret = ticket
        self = .link(link)
    }
}
