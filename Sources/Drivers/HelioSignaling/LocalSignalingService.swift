public import HelioCore
private import HelioLoop
package import NIOCore
private import Synchronization

#if canImport(Darwin)
private import Darwin
#else
private import Glibc
#endif

/// A signalling service for browsers on the network: serves the page by HTTP, and the WebSocket that the page opens, on
/// one TCP port (docs/web/protocol.md).
public final class LocalSignalingService: SignalingService {
    private enum State {
        case new
        case starting
        case running(port: Int, NIOLoopBound<SignalingCore>)
        case stopped(NIOLoopBound<SignalingCore>?)

        var core: NIOLoopBound<SignalingCore>? {
            switch self {
            case .running(_, let core): core
            case .stopped(let core): core
            case .new, .starting: nil
            }
        }
    }

    private let settings: LocalSignalingSettings
    private let loop: any EventLoop
    private let state = Mutex(State.new)

    /// - Parameter loop: the event loop of the service, on which the receiver is called.
    package init(_ settings: LocalSignalingSettings, on loop: any EventLoop) {
        self.settings = settings
        self.loop = loop
    }

    /// The port that the service listens on; `nil` while the service does not listen.
    public var localPort: Int? {
        state.withLock { if case .running(let port, _) = $0 { port } else { nil } }
    }

    /// Begins to listen, and to admit connections. Throws `invalidArgument` on a further call, and `systemFailed` if the
    /// port can't be opened; the message suggests a remedy.
    public func start(_ receiver: @escaping @Sendable (SignalingEvent) -> Void) async throws(HelioError) {
        let isFirst = state.withLock { state in
            guard case .new = state else { return false }
            state = .starting
            return true
        }
        guard isFirst else { throw HelioError(.invalidArgument, "The page is served already: start it once.") }
        do {
            let (port, core) = try await loop.flatSubmit {
                [settings, loop] () -> EventLoopFuture<(Int, NIOLoopBound<SignalingCore>)> in
                do {
                    let core = try SignalingCore(settings, on: loop, receiver: receiver)
                    let bound = NIOLoopBound(core, eventLoop: loop)
                    return core.listen().map { ($0, bound) }
                } catch {
                    return loop.makeFailedFuture(error)
                }
            }.get()
            let isWanted = state.withLock { state in
                guard case .starting = state else { return false }
                state = .running(port: port, core)
                return true
            }
            // `stop` was called meanwhile.
            if !isWanted { try? await loop.flatSubmit { core.value.stop() }.get() }
        } catch let error as HelioError {
            failed()
            throw error
        } catch {
            failed()
            throw HelioError(.systemFailed, Self.explanation(settings, error), cause: error)
        }
    }

    /// Allows another call of `start` after a failed one.
    private func failed() {
        state.withLock { if case .starting = $0 { $0 = .new } }
    }

    private static func explanation(_ settings: LocalSignalingSettings, _ error: any Error) -> String {
        let port =
            switch settings.port {
            case .exactly(let port), .preferably(let port): port
            }
        let place = Authority.text(settings.address, port: port)
        return switch (error as? IOError)?.errnoCode {
        case EADDRINUSE?:
            "The page for browsers can't be served at \(place), where another program listens: stop that one, choose "
                + "another port, or 0 for any free one."
        case EACCES?:
            "The page for browsers can't be served at \(place), as not every user may: choose a port from 1024 on, or 0 "
                + "for any free one."
        case EADDRNOTAVAIL?:
            "The page for browsers can't be served at \(place), as this machine does not have that address: choose one "
                + "that it has, or 0.0.0.0 for all."
        default:
            "The page for browsers can't be served at \(place): \(NetworkFailure.words(error)). Choose another address "
                + "or port."
        }
    }

    /// Closes all connections and the port.
    public func stop() async {
        let core = state.withLock { state in
            let core = state.core
            state = .stopped(core)
            return core
        }
        guard let core else { return }
        try? await loop.flatSubmit { core.value.stop() }.get()
    }

    /// Returns the counts since the start.
    public func statistics() async -> SignalingStatistics {
        guard let core = state.withLock({ $0.core }) else { return SignalingStatistics() }
        return (try? await loop.submit { core.value.currentStatistics }.get()) ?? SignalingStatistics()
    }
}
