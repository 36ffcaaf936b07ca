internal import DequeModule
package import HelioCore
package import HelioProtection
import HelioSTUN

/// A TURN client (RFC 8656), which requests a relayed address from a server, and sends and receives data through it.
///
/// A client has one allocation, with UDP between server and peers, and UDP or TCP between client and server. The driver
/// opens the connection to the server, and keeps it until `.closed`, `.failed` or `.redirected`. After `.closed` and
/// `.failed` the client can't be used again.
///
/// The first packet sent to a peer, or `.permit`, requests a permission for it. Until the permission is given, packets
/// are queued within limits. A peer that answers gets a channel.
package final class TURNClient: Engine {
    package enum Input: Sendable {
        /// The TCP connection or the UDP socket to the server is open. Report it again for the new server after
        /// `.redirected`.
        case connected
        /// The connection could not be opened, or has ended. Not reported if the driver has closed it.
        case disconnected
        /// The server's TLS certificate could not be verified; reported instead of `.connected`.
        case untrusted
        /// A datagram from the server, or bytes of the TCP stream.
        case received([UInt8])
        /// Sends data to a peer.
        case send([UInt8], to: TransportAddress)
        /// Requests a permission for peers at this address. It may be called before the allocation.
        case permit(IPAddress)
        /// Releases the allocation; `.closed` follows within `TURNSettings.closing`.
        case close
    }

    package enum Output: Sendable {
        /// Sends a datagram to the server, or bytes of the TCP stream.
        case send([UInt8])
        case event(Event)
    }

    package enum Event: Sendable, Hashable {
        /// - Parameters:
        ///   - relayed: the relayed address, to which peers send.
        ///   - mapped: the client's address as seen by the server.
        case allocated(relayed: TransportAddress, mapped: TransportAddress?)
        case data([UInt8], from: TransportAddress)
        /// The driver has to close the connection, connect to this server, and report `.connected`.
        case redirected(to: TransportAddress)
        case failed(TURNFailure)
        case closed
    }

    enum State {
        /// Waiting for `.connected`, initially or after a redirection.
        case idle
        case allocating
        case allocated
        /// The allocation is being released; no more data is sent or received.
        case closing(until: Instant)
        case ended
    }

    let server: TURNServer
    let settings: TURNSettings
    let crypto: any CryptoProvider
    var random: any RandomNumberGenerator & Sendable
    var state = State.idle
    /// The address of the present server, which a redirection changes.
    var address: TransportAddress
    var redirections = 0
    var credentials: TURNCredentials?
    var framer = STUNStreamFramer()
    var requests: [TURNRequest] = []
    var permissions: [TURNPermission] = []
    var peers: [TURNPeer] = []
    var nextChannel: UInt16
    /// The time at which the allocation expires at the server.
    var expiresAt: Instant?
    var refreshAt: Instant?
    var outputs = Deque<Output>()
    /// The relayed address, to which peers send; `nil` without an allocation.
    package internal(set) var relayedAddress: TransportAddress?
    package internal(set) var drops = DropCounter<TURNDrop>()

    /// - Parameter random: a secure generator; tests may pass a seeded one.
    package init(
        _ server: TURNServer, settings: TURNSettings = TURNSettings(), crypto: any CryptoProvider,
        random: any RandomNumberGenerator & Sendable
    ) {
        var random = random
        self.server = server
        self.settings = settings
        self.crypto = crypto
        address = server.address
        // A random first channel number makes forged channel data harder.
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
            // The server may still answer with an allocation, which is then released.
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
