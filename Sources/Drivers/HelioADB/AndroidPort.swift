package import HelioAndroid
private import HelioGround
internal import HelioLoop
private import NIOCore
internal import NIOPosix

/// Shares one phone behind adb: runs its engine on an event loop of its own, and its connections to adb's server.
package final class AndroidPort: Sendable {
    private let engine: SharedEngine<AndroidPhone>
    private let group: MultiThreadedEventLoopGroup

    /// Starts to look for the phone.
    ///
    /// - Parameter onEvent: called with each event on the event loop, in order; must not block.
    package init(
        _ settings: AndroidSettings, adb place: ADBPlace = ADBPlace(),
        onEvent: @escaping @Sendable (AndroidEvent) -> Void
    ) {
        let engine = SharedEngine(
            AndroidPhone(settings, random: SystemRandomNumberGenerator(), now: MonotonicClock.now))
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        self.engine = engine
        let loop = group.next()
        loop.execute { AndroidRun(engine, place, on: loop, onEvent).start() }
    }

    /// Hands an input to the engine. Callable from any thread.
    package func submit(_ input: AndroidPhone.Input) { engine.submit(input) }

    package var statistics: AndroidStatistics { engine.read { engine, _ in engine.statistics } }

    /// Ends the phone's server and all connections.
    package func close() async {
        engine.submit(.end)
        try? await group.shutdownGracefully()
    }
}

/// The run of an engine on its event loop.
private final class AndroidRun {
    private let engine: SharedEngine<AndroidPhone>
    private let place: ADBPlace
    private let loop: any EventLoop
    private let onEvent: @Sendable (AndroidEvent) -> Void
    private var connections: ADBConnections!
    private var driver: EngineLoop<SharedEngine<AndroidPhone>>!

    init(
        _ engine: SharedEngine<AndroidPhone>, _ place: ADBPlace, on loop: any EventLoop,
        _ onEvent: @escaping @Sendable (AndroidEvent) -> Void
    ) {
        self.engine = engine
        self.place = place
        self.loop = loop
        self.onEvent = onEvent
        connections = ADBConnections(place, on: loop) { [weak self] in self?.driver.feed($0) }
        driver = EngineLoop(
            engine, on: loop, perform: { [weak self] in self?.perform($0) }, settled: { [weak self] in self?.settle() })
    }

    /// The function that wakes the loop keeps this object alive until the engine has ended.
    func start() {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let loop = loop
        engine.whenWoken { loop.execute { bound.value.driver.update { _, _ in } } }
        driver.update { _, _ in }
    }

    private func perform(_ output: AndroidPhone.Output) {
        switch output {
        case .connect(let id): connections.connect(id)
        case .send(let id, let bytes): connections.send(id, bytes)
        case .close(let id): connections.close(id)
        case .startServer: ADBProgram.startServer(place) { [engine] in engine.submit(.serverStarted($0)) }
        case .event(let event): onEvent(event)
        }
    }

    private func settle() {
        connections.flush()
        guard engine.read({ engine, _ in engine.isOver }) else { return }
        driver.stop()
        engine.whenWoken(nil)
    }
}
