private import HelioAdmission
public import HelioCore
private import HelioOpenSSL
private import HelioProtection
private import HelioRendezvous
private import HelioRendezvousPort
private import HelioSharing
private import HelioStores
public import HelioTunnel
private import NIOPosix

extension RemoteSignalingService {
    /// The options of a service that an app opens at a rendezvous server.
    public struct Options: Sendable {
        /// The rendezvous server: `https://HOST[:PORT][/PATH]`, with `#` and the fingerprint of its certificate if no
        /// authority has signed that.
        public var server: String
        /// The code that clients have to know, XXXX-XXXX-XXXX-XXXX, such as that of an earlier `link`; `nil` makes one.
        public var code: String?
        /// The directory of this installation's key, by which the server knows this device; `nil` for
        /// `HeliographHome`. A server serves one connection of a key at a time, so a source that uses the same server
        /// needs another directory.
        public var home: String?
        /// Called on the service's thread when the server is reached, with `nil`, and when it is not reached or no
        /// longer, with the reason; it is then tried again. `nil` if the app needs no such news.
        public var reached: (@Sendable (HelioError?) -> Void)?

        /// Makes options for a server, with a code that is made by the service.
        public init(server: String) { self.server = server }
    }

    /// Makes a service of an app's own. It takes the calls of whoever knows `link`, 32 at once; a client's first
    /// message has to be `SignalingMessage.hello`. `SignalingCall` is such a client.
    ///
    /// The server only passes the calls on: their messages are sealed with the link's secret.
    ///
    /// Throws `invalidArgument` for a malformed address or code, and `systemFailed` if this installation's key can't be
    /// used.
    public convenience init(_ options: Options) throws(HelioError) {
        let place = try RendezvousPlace(parsing: options.server)
        var random = SecureGenerator()
        let secret = try options.code.map { code throws(HelioError) in SecretBytes(try ShareLink.secret(code)) }
        let places = options.home.map { SecretPlaces(folder: $0) } ?? HeliographHome.places
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let source = try RendezvousCallSource(
            place, key: try places.deviceKey(),
            secret: secret ?? SecretBytes(count: ShareLink.secretBytes, using: &random), reached: options.reached,
            on: loop)
        self.init(on: loop, by: source)
    }
}
