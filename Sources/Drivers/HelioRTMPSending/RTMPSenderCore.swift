import HelioCore
import HelioLoop
import HelioRTMPLink
import NIOCore

/// A sender's state on its event loop: the engine and its connection.
final class RTMPSenderCore {
    private let ended: EventLoopPromise<Void>
    private var hasEnded = false
    private var engine: EngineLoop<RTMPPublisher>!
    private var link: RTMPLink!

    /// - Parameter ended: kept when the last event has come; by the caller where this throws.
    init(
        _ stream: RTMPStream, _ options: RTMPOptions, seed: UInt64, on loop: any EventLoop,
        ended: EventLoopPromise<Void>, _ onEvent: @escaping @Sendable (RTMPEvent) -> Void
    ) throws(HelioError) {
        self.ended = ended
        link = try RTMPLink(stream.address, connectTimeout: options.stepTimeout, on: loop) { [weak self] in
            self?.engine.feed(.link($0))
        }
        engine = EngineLoop(
            RTMPPublisher(stream, options: options, seed: seed, now: MonotonicClock.now), on: loop,
            // A timer may keep the engine for longer than there is anything for it to do.
            perform: { [weak self] output in
                switch output {
                case .link(let command): self?.link.perform(command)
                case .event(let event):
                    onEvent(event)
                    if case .state(let state) = event, state.isFinal { self?.end() }
                }
            }, settled: { [weak self] in self?.link.flush() })
    }

    func start() { engine.update { publisher, now in publisher.tick(now: now) } }

    func feed(_ input: RTMPPublisher.Input) { engine.feed(input) }

    /// Is done when it has ended, its connection too; keeps it until then.
    func close() -> EventLoopFuture<Void> {
        engine.feed(.close)
        let bound = NIOLoopBound(self, eventLoop: ended.futureResult.eventLoop)
        return ended.futureResult.flatMap {
            bound.value.link.closing ?? bound.value.ended.futureResult
        }
    }

    private func end() {
        guard !hasEnded else { return }
        hasEnded = true
        ended.succeed()
    }

    var statistics: RTMPStatistics { engine.read { $0.statistics } }
    var connection: (any Channel)? { link.connection }
}
