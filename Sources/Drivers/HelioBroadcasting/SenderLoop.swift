import HelioBroadcast
import HelioCore
import HelioLoop
import NIOCore

/// The connection of a sender on an event loop: executes the engine's commands, and reports events to the engine.
protocol SenderLink: AnyObject, SendableMetatype {
    associatedtype E: SenderEngine

    /// Reports an event to the engine; set by ``SenderLoop``, called on the loop.
    var happened: (E.LinkEvent) -> Void { get set }

    func perform(_ command: E.LinkCommand)

    /// Sends the bytes that commands have written since the last call.
    func flush()

    /// Measures the connection; called once a second.
    func measure()

    /// Completes when the connection is closed; called once, after the last command.
    func finish() -> EventLoopFuture<Void>
}

extension SenderLink {
    func flush() {}
    func measure() {}
}

/// Runs a sender's engine on an event loop, and executes its outputs on the connection, until the broadcast is over.
final class SenderLoop<Link: SenderLink> {
    private static var measureInterval: TimeAmount { .seconds(1) }

    private let engine: SharedEngine<Link.E>
    private let link: Link
    private let loop: any EventLoop
    private let ended: EventLoopPromise<Void>
    private let onEvent: @Sendable (BroadcastEvent) -> Void
    private var driver: EngineLoop<SharedEngine<Link.E>>!
    private var measuring: RepeatedTask?

    /// - Parameter ended: succeeds once the last event is reported and the connection is closed.
    init(
        _ engine: SharedEngine<Link.E>, _ link: Link, on loop: any EventLoop, ended: EventLoopPromise<Void>,
        _ onEvent: @escaping @Sendable (BroadcastEvent) -> Void
    ) {
        self.engine = engine
        self.link = link
        self.loop = loop
        self.ended = ended
        self.onEvent = onEvent
        driver = EngineLoop(
            engine, on: loop, perform: { [weak self] in self?.perform($0) }, settled: { [weak self] in self?.settle() })
        link.happened = { [weak self] in self?.driver.feed(.link($0)) }
    }

    /// Starts the engine. The function that wakes the loop keeps this object alive until the end of the broadcast.
    func start() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        engine.whenWoken { loop.execute { bound.value.driver.update { _, _ in } } }
        measuring = loop.scheduleRepeatedTask(initialDelay: Self.measureInterval, delay: Self.measureInterval) { _ in
            bound.value.link.measure()
        }
        driver.update { _, _ in }
    }

    private func perform(_ output: SenderOutput<Link.E.LinkCommand>) {
        switch output {
        case .link(let command): link.perform(command)
        case .event(let event): onEvent(event)
        }
    }

    private func settle() {
        link.flush()
        guard let measuring, engine.read({ engine, _ in engine.isOver }) else { return }
        self.measuring = nil
        measuring.cancel()
        driver.stop()
        engine.whenWoken(nil)
        link.finish().cascade(to: ended)
    }
}
