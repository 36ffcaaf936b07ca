public import HelioCore
private import HelioOpenSSL
private import HelioPeerPort
public import NIOCore
private import NIOPosix
private import Synchronization

/// A UDP port and a TCP port of the same number, for any number of WebRTC peers.
///
/// ```swift
/// let endpoint = try await WebRTCEndpoint.open()
/// let peer = try await endpoint.connect()
/// ```
///
/// Each endpoint makes its own certificate when it is opened. Peers can recognise the endpoint by the certificate's
/// fingerprint; open another endpoint for a peer that should not.
public final class WebRTCEndpoint: Sendable {
    /// The options that an endpoint is opened with.
    public struct Options: Sendable {
        /// The number of both ports, UDP and TCP; 0 picks a free one.
        public var port = 0
        /// Numeric addresses of this machine to offer to peers. Empty for all addresses beyond link-local scope,
        /// including ones that the machine gets later, and loopback if there are no others.
        public var addresses: [String] = []
        /// Offers loopback too, if `addresses` is empty: for peers on this machine.
        public var includesLoopback = false
        /// Uses UDP. Without it, all traffic uses TCP, or relays that are reached over TCP.
        public var usesUDP = true
        /// Accepts and makes TCP connections (ICE-TCP, RFC 6544), for networks that block UDP.
        public var usesTCP = true

        /// A PEM file with the certificate authorities to trust for TURN servers over TLS; `nil` for the authorities
        /// that this machine trusts.
        public var certificateAuthorities: String?

        /// The group on whose event loop the port and its connections run; `nil` for a loop of the endpoint's own, on
        /// its own thread.
        ///
        /// The group has to be one of SwiftNIO's for POSIX sockets, such as `MultiThreadedEventLoopGroup`. It has to
        /// run for as long as the endpoint is open, and is not shut down with it.
        public var eventLoopGroup: (any EventLoopGroup)?

        /// Makes options for any port, on all addresses.
        public init() {}
    }

    /// The number of both ports, UDP and TCP.
    public var port: Int { Int(sockets.localPort) }

    /// The endpoint's own group; `nil` if the app gave one.
    private let ownGroup: MultiThreadedEventLoopGroup?
    private let sockets: PeerPort
    private let certificates: OpenSSLDTLS
    /// The links of all connections that are open.
    private let links = Mutex<Set<PeerLink>>([])

    /// Opens the ports. Throws `systemFailed` if they are in use, and `invalidArgument` for an invalid port or address,
    /// or for an event-loop group without POSIX sockets.
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

    /// Makes a connection to one peer, to be set up by offer and answer.
    ///
    /// ICE servers that can't be used are left out, and the event `serverUnusable` names them. Throws `invalidArgument`
    /// for a malformed ICE server address, or if only relays may be used and none is usable; `systemFailed` if the port
    /// has no room for another connection.
    public func connect(
        _ options: PeerConnection.Options = PeerConnection.Options()
    ) async throws(HelioError) -> PeerConnection {
        let peer = try await PeerConnection.make(options, on: sockets, certificates: certificates)
        let link = peer.link
        links.withLock { _ = $0.insert(link) }
        link.whenEnded { [weak self] in self?.links.withLock { _ = $0.remove(link) } }
        return peer
    }

    /// Sends one coded picture to many peers. The picture is packetized once, and encrypted for each peer.
    ///
    /// Tracks of other endpoints' connections are ignored.
    ///
    /// - Parameters:
    ///   - frame: an access unit of H.264.
    ///   - quarterTurns: the number of clockwise quarter turns, 0 to 3, that the peers apply to show the picture, as
    ///     browsers do.
    ///   - tracks: the tracks to send it on.
    public func broadcast(_ frame: EncodedFrame, quarterTurns: Int = 0, to tracks: [VideoTrack]) async {
        await VideoTrack.broadcast(frame, quarterTurns: quarterTurns, to: tracks, by: sockets)
    }

    /// Closes all connections, then the port.
    public func close() async {
        for link in links.withLock({ $0 }) { await link.close() }
        await sockets.close()
        try? await ownGroup?.shutdownGracefully()
    }

    /// The number of dropped datagrams that belonged to no connection, by reason.
    public func droppedDatagrams() async -> [String: Int] {
        guard let statistics = try? await sockets.statistics() else { return [:] }
        return statistics.drops
    }
}
