package import HelioCore
import HelioLoop
package import HelioRTMPLink
package import NIOCore

#if os(Linux)
private import Glibc
#endif

/// Publishes a stream by RTMP or RTMPS: connects, and does so again whenever that breaks, until it is refused for good or
/// closed. All of it is on one event loop.
package final class RTMPSender: Sendable {
    /// The most units that wait for the loop. Past that it is stuck, and the newest is dropped and counted.
    private static let mostWaiting = 1024

    private let loop: any EventLoop
    private let core: NIOLoopBound<RTMPSenderCore>
    private let inbox: EngineInbox<RTMPUnit>

    private init(_ core: RTMPSenderCore, on loop: any EventLoop) {
        self.loop = loop
        let bound = NIOLoopBound(core, eventLoop: loop)
        self.core = bound
        inbox = EngineInbox(capacity: Self.mostWaiting, on: loop) { bound.value.feed(.unit($0)) }
    }

    /// Starts.
    ///
    /// - Parameter onEvent: called on the loop, in order; must not block. The last one is a final state.
    ///
    /// Throws `systemFailed` where there is no TLS.
    package static func start(
        _ stream: RTMPStream, options: RTMPOptions = RTMPOptions(), on loop: any EventLoop,
        onEvent: @escaping @Sendable (RTMPEvent) -> Void
    ) async throws(HelioError) -> RTMPSender {
        let seed = UInt64.random(in: .min ... .max)
        do {
            return try await loop.submit {
                let ended = loop.makePromise(of: Void.self)
                do {
                    let core = try RTMPSenderCore(stream, options, seed: seed, on: loop, ended: ended, onEvent)
                    let sender = RTMPSender(core, on: loop)
                    core.start()
                    return sender
                } catch {
                    ended.succeed()
                    throw error
                }
            }.get()
        } catch let error as HelioError {
            throw error
        } catch {
            throw HelioError(.systemFailed, "Publishing can't be started: \(error).", cause: error)
        }
    }

    deinit {
        let core = core
        loop.execute { _ = core.value.close() }
    }

    /// Sends a unit, or drops it and counts that. Any thread; never blocks.
    package func send(_ unit: RTMPUnit) { _ = inbox.put(unit) }

    /// What was sent; the round trip is TCP's where the system tells it.
    package func statistics() async -> RTMPStatistics {
        let submitted = loop.submit { [core] in
            (core.value.statistics, core.value.connection as? any SocketOptionProvider)
        }
        guard let (state, provider) = try? await submitted.get() else { return RTMPStatistics() }
        var statistics = state
        #if os(Linux)
        if let information = try? await provider?.getTCPInfo().get(), information.tcpi_rtt > 0 {
            statistics.roundTrip = .microseconds(Int64(information.tcpi_rtt))
        }
        #endif
        inbox.tellRefused(as: "rtmp-queue-full", in: &statistics.drops)
        return statistics
    }

    /// Sends what waits, if that goes soon, and ends. Returns when the last event has come, and the connection is closed.
    package func close() async {
        try? await loop.flatSubmit { [core] in core.value.close() }.get()
    }
}
