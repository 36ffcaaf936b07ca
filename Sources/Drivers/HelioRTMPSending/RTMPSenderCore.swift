import HelioBroadcast
import HelioCore
import HelioGround
import HelioRTMPLink
import HelioTLS
import NIOCore
private import Synchronization

#if os(Linux)
private import Glibc
#endif

/// A sender's engine, which takes inputs from any thread, and its connection, which lives on an event loop.
final class RTMPSenderCore: Sendable {
    private struct State {
        var engine: RTMPBroadcast
        /// True while a call of `pump` is scheduled on the loop.
        var isWoken = false
    }

    /// The state that is confined to the loop.
    private struct Ends {
        var link: RTMPLink
        var timer: (at: Instant, task: Scheduled<Void>)?
        var measuredAt = MonotonicClock.now
        var isPumping = false
    }

    private static let measureInterval = Duration.seconds(1)

    private let loop: any EventLoop
    private let state: Mutex<State>
    private let ends: NIOLoopBoundBox<Ends?>
    private let address: RTMPAddress
    private let trust: ServerTrust?
    private let onEvent: @Sendable (BroadcastEvent) -> Void
    /// Succeeds once the last event is reported and the connection is closed.
    private let isOver: EventLoopPromise<Void>

    init(
        to address: RTMPAddress, _ tracks: BroadcastTracks, _ options: RTMPOptions, on loop: any EventLoop,
        _ onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) throws(HelioError) {
        trust = address.isSecure ? try ServerTrust(fingerprint: address.fingerprint) : nil
        self.address = address
        self.loop = loop
        self.onEvent = onEvent
        state = Mutex(
            State(
                engine: RTMPBroadcast(
                    to: address, tracks, options: options, seed: .random(in: .min ... .max), now: MonotonicClock.now)))
        ends = .makeEmptyBox(valueType: Ends.self, eventLoop: loop)
        isOver = loop.makePromise()
    }

    func start() {
        loop.execute { [self] in
            // The link's closure keeps this object alive until the end.
            ends.value = Ends(link: RTMPLink(address, trust, on: loop) { [self] in feed(.link($0)) })
            pump()
        }
    }

    /// Hands an input to the engine, and wakes the loop. Callable from any thread.
    func handle(_ input: RTMPBroadcast.Input) {
        let wakes = state.withLock { state in
            state.engine.handle(input, now: MonotonicClock.now)
            defer { state.isWoken = true }
            return !state.isWoken
        }
        if wakes { loop.execute { [self] in pump() } }
    }

    var statistics: BroadcastStatistics { state.withLock { $0.engine.statistics(now: MonotonicClock.now) } }

    var unsentBytes: Int { state.withLock { $0.engine.unsentBytes } }

    /// Returns once the last event is reported and the connection is closed.
    func ended() async { try? await isOver.futureResult.get() }

    // MARK: - The loop

    private func feed(_ input: RTMPBroadcast.Input) {
        state.withLock { $0.engine.handle(input, now: MonotonicClock.now) }
        pump()
    }

    /// Executes the engine's outputs.
    private func pump() {
        // An output may make the link report an event, which calls this again: the running call executes its outputs,
        // too.
        guard let link = ends.value?.link, ends.value?.isPumping == false else { return }
        ends.value?.isPumping = true
        var next = next()
        while let output = next.output {
            switch output {
            case .link(let command): link.perform(command)
            case .event(let event): onEvent(event)
            }
            next = self.next()
        }
        ends.value?.isPumping = false
        link.flush()
        if next.isOver { finish(link) } else { arm() }
    }

    /// Ticks the engine; returns its next output, and whether it is over.
    private func next() -> (output: RTMPBroadcast.Output?, isOver: Bool) {
        state.withLock { state in
            state.isWoken = false
            state.engine.tick(now: MonotonicClock.now)
            return (state.engine.poll(), state.engine.isOver)
        }
    }

    private func arm() {
        let deadline = state.withLock { $0.engine.deadline }?.at
        guard let at = [deadline, measure()].compactMap({ $0 }).min() else { return }
        // A timer that fires too early is harmless.
        if let timer = ends.value?.timer, timer.at <= at { return }
        ends.value?.timer?.task.cancel()
        let task = loop.scheduleTask(deadline: .uptimeNanoseconds(UInt64(max(0, at.nanoseconds)))) { [self] in
            ends.value?.timer = nil
            pump()
        }
        ends.value?.timer = (at, task)
    }

    /// Queries the system for the connection's round trip, if that is due; returns when it is due next.
    private func measure() -> Instant? {
        guard let current = ends.value, let connection = current.link.connection else { return nil }
        let now = MonotonicClock.now
        guard now - current.measuredAt >= Self.measureInterval else { return current.measuredAt + Self.measureInterval }
        ends.value?.measuredAt = now
        #if os(Linux)
        (connection as? any SocketOptionProvider)?.getTCPInfo().whenSuccess { [self] information in
            guard information.tcpi_rtt > 0 else { return }
            handle(.roundTrip(.microseconds(Int64(information.tcpi_rtt))))
        }
        #endif
        return now + Self.measureInterval
    }

    private func finish(_ link: RTMPLink) {
        guard ends.value != nil else { return }
        ends.value?.timer?.task.cancel()
        ends.value = nil
        guard let closing = link.closing else { return isOver.succeed() }
        closing.cascade(to: isOver)
    }
}
