internal import DequeModule
package import HelioCore
package import HelioProtection
import HelioSTUN

/// A client of TURN (RFC 8656): has a server allocate an address, and relays data through it where no direct path
/// works.
///
/// A client has one allocation, with UDP towards the peers, and uses UDP or TCP towards the server. The driver opens
/// the connection and reports it; it keeps the connection until `.closed` or `.failed`, which are final, or
/// `.redirected`.
///
/// A peer gets permission by the first packet sent to it, or by `.permit`; packets wait for the permission, within
/// limits. A peer that answers gets a channel.
package final class TURNClient: Engine {
    package enum Input: Sendable {
        /// The connection is ready: with TCP once it is open, with UDP at once. Repeated after `.redirected`, for the
        /// other server.
        case connected
        /// The connection could not be opened, or has ended; not reported for one that the driver has closed itself.
        case disconnected
        /// The server's TLS certificate is not trusted; reported instead of `.connected`.
        case untrusted
        /// Bytes from the server: a datagram, or a piece of the stream.
        case received([UInt8])
        /// Data to a peer.
        case send([UInt8], to: TransportAddress)
        /// Permits peers at this address to send, also before there is an allocation.
        case permit(IPAddress)
        /// Ends the allocation; `.closed` follows, after a few seconds at the latest.
        case close
    }

    package enum Output: Sendable {
        /// Bytes to the server: a datagram, or bytes of the stream.
        case send([UInt8])
        case event(Event)
    }

    package enum Event: Sendable, Hashable {
        /// - Parameters:
        ///   - relayed: the relayed address, at which peers reach this end.
        ///   - mapped: the address at which the server sees this end.
        case allocated(relayed: TransportAddress, mapped: TransportAddress?)
        case data([UInt8], from: TransportAddress)
        /// The driver has to connect to this server instead of the present one, and report `.connected`.
        case redirected(to: TransportAddress)
        case failed(TURNFailure)
        case closed
    }

    enum State {
        /// Waits for `.connected`: at the start, and after a redirection.
        case idle
        case allocating
        case allocated
        /// The allocation is being released; no more data is relayed.
        case closing(until: Instant)
        case ended
    }

    let server: TURNServer
    let settings: TURNSettings
    let crypto: any CryptoProvider
    var random: any RandomNumberGenerator & Sendable
    var state = State.idle
    /// The server's address, which a redirection changes.
    var address: TransportAddress
    var redirections = 0
    var credentials: TURNCredentials?
    var framer = STUNStreamFramer()
    var requests: [TURNRequest] = []
    var permissions: [TURNPermission] = []
    var peers: [TURNPeer] = []
    var nextChannel: UInt16
    /// When the allocation ends at the server.
    var expiresAt: Instant?
    var refreshAt: Instant?
    var outputs = Deque<Output>()
    /// The relayed address, at which peers reach this end.
    package internal(set) var relayedAddress: TransportAddress?
    package internal(set) var drops = DropCounter<TURNDrop>()

    /// - Parameter random: the driver's secure generator, except in tests.
    package init(
        _ server: TURNServer, settings: TURNSettings = TURNSettings(), crypto: any CryptoProvider,
        random: any RandomNumberGenerator & Sendable
    ) {
        var random = random
        self.server = server
        self.settings = settings
        self.crypto = crypto
        address = server.address
        // The first number is random, so that channels can't be guessed.
        nextChannel = .random(in: ChannelData.channels, using: &random)
        self.random = random
    }

    // MARK: Engine

    package func handle(_ input: consuming Input, now: Instant) {
        switch input {
        case .connected: connect(now)
        case .disconnected: disconnect(.disconnected)
        case .untrusted: disconnect(.untrusted)
        case .received(let bytes): handle(bytes, now)
        case .send(let bytes, let peer): send(bytes, to: peer, now)
        case .permit(let ip): permit(ip, now)
        case .close: close(now)
        }
        ask(now)
    }

    package func tick(now: Instant) {
        sendAgain(now)
        keepAllocation(now)
        keepPermissions(now)
        keepChannels(now)
        if case .closing(let end) = state, end <= now { finish() }
        ask(now)
    }

    package func poll() -> Output? { outputs.popFirst() }

    package var deadline: Deadline? {
        switch state {
        case .idle, .ended: nil
        case .allocating: requestDeadline
        case .closing(let end): .earliest(requestDeadline, Deadline(at: end, why: "TURN server confirms no end"))
        case .allocated:
            [requestDeadline, allocationDeadline, permissionDeadline, channelDeadline]
                .reduce(nil as Deadline?) { .earliest($0, $1) }
        }
    }

    // MARK: Start and end

    private func connect(_ now: Instant) {
        guard case .idle = state else { return }
        state = .allocating
        framer = STUNStreamFramer()
        credentials = nil
        request(.allocate, now)
    }

    private func disconnect(_ why: TURNFailure) {
        switch state {
        case .ended: break
        case .closing: finish()
        case .idle, .allocating, .allocated: fail(why)
        }
    }

    private func close(_ now: Instant) {
        switch state {
        case .closing, .ended: break
        case .idle: finish()
        case .allocating:
            // The server may still allocate an address, which is then released.
            state = .closing(until: now + settings.closing)
        case .allocated:
            state = .closing(until: now + settings.closing)
            forgetPeers()
            requests = []
            request(.release, now)
        }
    }

    func fail(_ failure: TURNFailure) {
        if case .closing = state { return finish() }
        end(with: .failed(failure))
    }

    func finish() { end(with: .closed) }

    private func end(with event: Event) {
        state = .ended
        relayedAddress = nil
        requests = []
        forgetPeers()
        outputs.append(.event(event))
    }

    private func forgetPeers() {
        let held = permissions.reduce(0) { $0 + $1.held.count }
        if held > 0 { drops.count(.noAllocation, held) }
        permissions = []
        peers = []
    }

    var isClosing: Bool { if case .closing = state { true } else { false } }
    var isAllocated: Bool { if case .allocated = state { true } else { false } }
}
