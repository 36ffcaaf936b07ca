public import HelioCore
internal import HelioSharing
public import HelioSignaling
private import HelioStores
private import NIOPosix

extension LocalSignalingService {
    /// A file of the page that a service serves.
    public struct File: Sendable {
        /// The path below `/`, such as `main.js`. A request for `/` gets `index.html`.
        public var path: String
        /// The contents.
        public var bytes: [UInt8]
        /// The media type, such as `text/html; charset=utf-8`.
        public var type: String

        /// Makes a file of its contents.
        public init(path: String, bytes: [UInt8], type: String) {
            self.path = path
            self.bytes = bytes
            self.type = type
        }
    }

    /// The options of a service that an app opens for its own page.
    public struct Options: Sendable {
        /// The address to listen on.
        public var address = MirrorSource.Options.everyAddress
        /// The TCP port; 0 picks a free one, which `localPort` tells.
        public var port = 0
        /// The page's files; no others are served. Inline scripts and styles do not run: put them into files.
        public var files: [File] = []
        /// The host names under which the page may be opened, in addition to this machine's own name and addresses;
        /// `*.NAME` allows all subdomains of a name.
        public var allowedHosts: [String] = []
        /// True to serve HTTPS only, with this installation's self-signed certificate, which browsers warn about. If
        /// false, the same port serves HTTP and HTTPS.
        public var usesTLS = false
        /// The directory of this installation's key; `nil` for `HeliographHome`.
        public var home: String?

        /// Makes options for a free port on every address, and no page.
        public init() {}
    }

    /// Makes a service of an app's own: its page, and WebSockets at `/signaling` with a message in each text frame.
    /// Only the page's own scripts may connect, and others that send its `Origin`.
    ///
    /// Throws `invalidArgument` for a name that can't be allowed or a port that is none, and `systemFailed` if this
    /// installation's key can't be used.
    public convenience init(_ options: Options) throws(HelioError) {
        guard (0...65_535).contains(options.port) else {
            throw HelioError(.invalidArgument, "The port \(options.port): give a number from 0 to 65535.")
        }
        let places = options.home.map { SecretPlaces(folder: $0) } ?? HeliographHome.places
        var settings = LocalSignalingSettings(
            address: options.address, port: .exactly(options.port), identity: try places.forSharing().identity,
            servesHTTP: !options.usesTLS,
            files: options.files.map { PageFile(path: $0.path, bytes: $0.bytes, type: $0.type) })
        try settings.allow(options.allowedHosts)
        self.init(settings, on: MultiThreadedEventLoopGroup.singleton.next())
    }
}

extension LocalSignalingSettings {
    /// Allows further names. Throws `invalidArgument` for a name that can't be allowed.
    mutating func allow(_ names: [String]) throws(HelioError) {
        for name in names where !HostNames.isPattern(name) {
            throw HelioError(
                .invalidArgument,
                "'\(name)' is no name to allow: give one such as desk.example.org, or *.example.org for all below it. "
                    + "Addresses need none.")
        }
        allowedNames = names
    }
}
