public import HelioCore
private import HelioOpenSSL
private import HelioPeerPort
public import NIOCore
private import NIOPosix
private import Synchronization

/// One port of UDP, and one of TCP, for any number of WebRTC peers.
///
/// ```swift
/// let endpoint = try await WebRTCEndpoint.open()
/// let peer = try await endpoint.connect()
/// ```
///
/// It has a certificate of its own, made when it is opened, by whose fingerprint peers know it; who wants to be a
/// stranger to the next peer opens another.
public final class WebRTCEndpoint: Sendable {
    /// How the port is set up.
    public struct Options: Sendable {
        /// Of UDP and TCP alike; 0 picks a free one.
        public var port = 0
        /// Numeric addresses of this machine to be reached at; empty: all that reach further than the link, those that
        /// it gets later too, and loopback if there are no others.
        public var addresses: [String] = []
        /// Loopback too, where `addresses` are empty: for peers on this machine.
        public var includesLoopback = false
        /// Off: everything goes by TCP, or by relays that are reached by TCP.
        public var usesUDP = true
        /// Takes connections of TCP, and makes them (ICE-TCP, RFC 6544), for networks that let no UDP through.
        public var usesTCP = true

        /// A file of certificates (PEM) of those whom TURN servers by TLS are believed by; `nil`: whom this machine
        /// trusts.
        public var certificateAuthorities: String?

        /// On whose event loop the port and its connections live; `nil`: on one of their own, with a thread of its own.
        ///
        /// One of SwiftNIO's for POSIX sockets, as `MultiThreadedEventLoopGroup` is. It has to run for as long as the
        /// endpoint is open, and is not shut down with it.
        public var eventLoopGroup: (any EventLoopGroup)?

        /// Any port, all addresses.
        public init() {}
    }

    /// The number of both ports.
    public var port: Int { Int(sockets.localPort) }

    /// `nil`: the application's runs all.
    private let ownGroup: MultiThreadedEventLoopGroup?
    private let sockets: PeerPort
    private let certificates: OpenSSLDTLS
    /// Of the connections that are not closed.
    private let links = Mutex<Set<PeerLink>>([])

    /// Opens the port. Throws `systemFailed` where it is taken, and `invalidArgument` for what is no address, or an event-loop
    /// group that has no POSIX sockets.
    public static func open(_ options: Options = Options()) async throws(HelioError) -> WebRTCEndpoint {
        var settings = PeerPortSettings()
        guard let port = UInt16(exactly: options.port) else {
            throw HelioError(.invalidArgument, "A port is a number from 0 to 65535, not \(options.port)")
        }
        settings.port = port
        settings.includesLoopback = options.includesLoopback
        settings.usesUDP = options.usesUDP
        settings.usesTCP = options.usesTCP
        settings.authorities = options.certificateAuthorities
        for text in options.addresses {
            guard let address = IPAddress(text) else {
                throw HelioError(.invalidArgument, "'\(text)' is no IP address of this machine")
            }
            settings.addresses.append(address)
        }
        let certificates: OpenSSLDTLS
        do {
            certificates = try OpenSSLDTLS(DTLSIdentity())
        } catch {
            throw HelioError(.systemFailed, "OpenSSL can't make a certificate: is its version 3?", cause: error)
        }
        if let group = options.eventLoopGroup {
            guard DatagramBootstrap(validatingGroup: group) != nil else {
                throw HelioError(
                    .invalidArgument, "The event-loop group has no POSIX sockets: give a MultiThreadedEventLoopGroup")
            }
            return WebRTCEndpoint(nil, try await PeerPort.open(settings, on: group.any()), certificates)
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        do throws(HelioError) {
            return WebRTCEndpoint(group, try await PeerPort.open(settings, on: group.any()), certificates)
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
    }

    private init(_ ownGroup: MultiThreadedEventLoopGroup?, _ sockets: PeerPort, _ certificates: OpenSSLDTLS) {
        self.ownGroup = ownGroup
        self.sockets = sockets
        self.certificates = certificates
    }

    /// A connection to one peer, which offers and answers then bring about.
    ///
    /// Of the ICE servers those are used that can be; `serverUnusable` tells of the others. Throws `invalidArgument` where
    /// one makes no sense, or where relays alone are wanted and there are none.
    public func connect(
        _ options: PeerConnection.Options = PeerConnection.Options()
    ) async throws(HelioError) -> PeerConnection {
        let peer = try await PeerConnection.make(options, on: sockets, certificates: certificates)
        let link = peer.link
        links.withLock { _ = $0.insert(link) }
        link.whenEnded { [weak self] in self?.links.withLock { _ = $0.remove(link) } }
        return peer
    }

    /// Sends one coded picture to many peers: cut into packets once, protected for each.
    ///
    /// The tracks are of connections of this endpoint; those of others are passed over.
    ///
    /// - Parameters:
    ///   - frame: an access unit of H.264.
    ///   - quarterTurns: by how many quarters the peers are to turn it clockwise, 0 to 3: browsers do.
    ///   - tracks: where it goes.
    public func broadcast(_ frame: EncodedFrame, quarterTurns: Int = 0, to tracks: [VideoTrack]) async {
        await VideoTrack.broadcast(frame, quarterTurns: quarterTurns, to: tracks, by: sockets)
    }

    /// Closes all connections, then the port.
    public func close() async {
        for link in links.withLock({ $0 }) { await link.close() }
        await sockets.close()
        try? await ownGroup?.shutdownGracefully()
    }

    /// What was thrown away of what came to the port and belongs to no connection, by name.
    public func droppedDatagrams() async -> [String: Int] {
        guard let statistics = try? await sockets.statistics() else { return [:] }
        return statistics.drops
    }
}
