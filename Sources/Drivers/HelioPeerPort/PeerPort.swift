package import HelioCore
private import HelioLoop
package import HelioPeer
package import NIOCore

#if canImport(Glibc)
private import Glibc
#elseif canImport(Darwin)
private import Darwin
#endif

/// A UDP port and a TCP port for any number of WebRTC peers, each with an engine of its own, on one event loop.
///
/// Each address of the machine has a socket of its own, so that packets from a candidate's base leave from that
/// address. The peer of an incoming packet is found as follows: a connectivity check contains the ICE user name, a STUN
/// response has the transaction of its request, and other packets come from an address where a peer was verified. Two
/// peers with the same remote address and port can't be distinguished, so the first keeps the address. A packet of no
/// known peer is dropped and counted.
///
/// Addresses that the machine gets later become candidates of current and new peers, too, if the port is open at all
/// addresses.
package final class PeerPort: Sendable {
    /// The number of both ports, UDP and TCP.
    package let localPort: UInt16
    /// The addresses that were bound when the port was opened.
    package let addresses: [IPAddress]
    private let loop: any EventLoop
    private let core: NIOLoopBound<PeerPortCore>

    /// Opens the port at all of its addresses.
    package static func open(
        _ settings: PeerPortSettings, on loop: any EventLoop
    ) async throws(HelioError) -> PeerPort {
        do {
            let addresses =
                try settings.addresses.isEmpty
                ? settings.listAddresses(settings.includesLoopback) : settings.addresses
            let core = try await loop.submit {
                NIOLoopBound(PeerPortCore(settings, loop: loop), eventLoop: loop)
            }.get()
            let binder = PeerPortBinder(settings, core: core, loop: loop)
            let (port, bound) = try await binder.bind(addresses)
            try await loop.submit { core.value.watchAddresses(port: port) }.get()
            return PeerPort(port: port, addresses: bound, loop: loop, core: core)
        } catch let error as HelioError {
            throw error
        } catch {
            throw HelioError(
                .systemFailed,
                "\(Self.name(settings.port, error)): choose another port, or addresses that this machine has.",
                cause: error)
        }
    }

    private static func name(_ port: UInt16, _ error: any Error) -> String {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?: "WebRTC's port \(port) belongs to another program"
        case EACCES?: "WebRTC's port \(port) is not for every user: those from 1024 on are"
        default: "WebRTC's port \(port) can't be opened (\(NetworkFailure.words(error)))"
        }
    }

    private init(port: UInt16, addresses: [IPAddress], loop: any EventLoop, core: NIOLoopBound<PeerPortCore>) {
        localPort = port
        self.addresses = addresses
        self.loop = loop
        self.core = core
    }

    /// Adds a peer, whose engine gets the port's candidates at once.
    ///
    /// - Parameters:
    ///   - make: makes the engine, on the loop.
    ///   - onEvent: called on the loop with each event; must not block.
    package func add(
        _ make: @escaping @Sendable (Instant) throws -> PeerEngine,
        onEvent: @escaping @Sendable (PeerConnectionEvent) -> Void
    ) async throws -> PeerHandle {
        try await loop.submit { [core, loop] in
            PeerHandle(try core.value.add(make, onEvent: onEvent), loop: loop)
        }.get()
    }

    /// Adds a peer, for callers on the loop.
    package func addOnLoop(
        _ make: (Instant) throws -> PeerEngine, onEvent: @escaping (PeerConnectionEvent) -> Void
    ) throws -> PeerHandle {
        PeerHandle(try core.value.add(make, onEvent: onEvent), loop: loop)
    }

    /// Takes over a TCP connection that was accepted at `PeerPortSettings.sharedTCPPort`, before any bytes are read
    /// from it. On the loop only. A connection beyond the limits is closed and counted.
    package func acceptOnLoop(_ channel: any Channel) throws { try core.value.accept(channel) }

    /// Sends the queued packets of all peers. On the loop only.
    package func flushOnLoop() { core.value.flush() }

    /// Runs `body` on the loop, then sends the packets of all peers together. `body` may call `runOnLoop` of many
    /// peers, none of which may be running already.
    package func run(_ body: @escaping @Sendable () -> Void) async {
        try? await loop.submit { [core] in
            body()
            core.value.flush()
        }.get()
    }

    package func statistics() async throws -> PeerPortStatistics {
        try await loop.submit { [core] in core.value.statistics }.get()
    }

    /// Closes all sockets and connections. Peers that are still open no longer receive or send anything.
    package func close() async {
        try? await loop.flatSubmit { [core] in core.value.close() }.get()
    }
}
