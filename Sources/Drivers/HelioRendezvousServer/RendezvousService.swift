package import HelioCore
internal import HelioLoop
package import NIOCore
internal import NIOPosix
private import Synchronization

#if canImport(Darwin)
private import Darwin
#else
private import Glibc
#endif

/// A rendezvous server: one TCP port with HTTP, and a WebSocket for each device at `/device`.
package final class RendezvousService: Sendable {
    private enum State {
        case new
        case starting
        case running(port: Int, NIOLoopBound<ServiceCore>)
        case stopped
    }

    private let settings: RendezvousServiceSettings
    private let store: any RendezvousStoring
    private let loop: any EventLoop
    private let report: @Sendable (RendezvousServiceNews) -> Void
    private let state = Mutex(State.new)

    /// - Parameters:
    ///   - loop: the event loop of the service.
    ///   - report: called on the loop with what an operator has to know.
    package init(
        _ settings: RendezvousServiceSettings, store: any RendezvousStoring, on loop: any EventLoop,
        report: @escaping @Sendable (RendezvousServiceNews) -> Void
    ) {
        self.settings = settings
        self.store = store
        self.loop = loop
        self.report = report
    }

    /// The port that the service listens on; `nil` while it does not listen.
    package var localPort: Int? {
        state.withLock { if case .running(let port, _) = $0 { port } else { nil } }
    }

    /// Listens. Called once. Throws `systemFailed` if the certificate, the store or the port can't be used.
    package func start() async throws(HelioError) {
        let isFirst = state.withLock { state in
            guard case .new = state else { return false }
            state = .starting
            return true
        }
        guard isFirst else { throw HelioError(.invalidArgument, "The rendezvous server runs already: start it once.") }
        do {
            let (port, core) = try await loop.flatSubmit {
                [settings, store, loop, report] () -> EventLoopFuture<(Int, NIOLoopBound<ServiceCore>)> in
                do {
                    let core = try ServiceCore(settings, on: loop, report: report)
                    try core.startEngine(store)
                    let bound = NIOLoopBound(core, eventLoop: loop)
                    return core.listen().map { ($0, bound) }.flatMapErrorThrowing { error in
                        bound.value.abandon()
                        throw error
                    }
                } catch {
                    return loop.makeFailedFuture(error)
                }
            }.get()
            state.withLock { $0 = .running(port: port, core) }
        } catch let error as HelioError {
            state.withLock { $0 = .stopped }
            throw error
        } catch {
            state.withLock { $0 = .stopped }
            throw HelioError(
                .systemFailed,
                "The rendezvous server can't listen at \(Authority.text(settings.address, port: settings.port)): "
                    + "\(NetworkFailure.words(error)). Choose another address or port.", cause: error)
        }
    }

    /// Asks all devices to connect elsewhere, closes what is left after `drainTime`, and writes the store.
    package func stop() async {
        let core = state.withLock { state -> NIOLoopBound<ServiceCore>? in
            defer { state = .stopped }
            return if case .running(_, let core) = state { core } else { nil }
        }
        guard let core else { return }
        try? await loop.flatSubmit { core.value.stop() }.get()
        let threads = try? await loop.submit { () -> (bus: (any BusLink)?, store: StoreWorker?) in
            defer { (core.value.bus, core.value.storeWorker) = (nil, nil) }
            return (core.value.bus, core.value.storeWorker)
        }.get()
        // The others learn at once that this instance is gone. A bus that is away is not waited for.
        if threads?.bus?.statistics.state == .connected { await threads?.bus?.finish() } else { threads?.bus?.end() }
        await threads?.store?.finish()
    }

    package func statistics() async -> RendezvousServiceStatistics {
        let core = state.withLock { state -> NIOLoopBound<ServiceCore>? in
            if case .running(_, let core) = state { core } else { nil }
        }
        guard let core else { return RendezvousServiceStatistics() }
        return (try? await loop.submit { core.value.currentStatistics }.get()) ?? RendezvousServiceStatistics()
    }
}
