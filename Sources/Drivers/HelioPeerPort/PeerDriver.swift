internal import HelioCore
internal import HelioGround
internal import HelioLoop
internal import HelioPeer

/// Runs one peer's engine on the port's loop.
final class PeerDriver {
    let number: UInt64
    /// The port, which owns its peers; `nil` once this peer was removed.
    private weak var port: PeerPortCore?
    private var engine: EngineLoop<PeerEngine>!
    private let onEvent: (PeerConnectionEvent) -> Void
    /// The ICE user name that was last registered at the port; compared after every input.
    private var learned: String?

    init(
        _ engine: PeerEngine, number: UInt64, port: PeerPortCore,
        onEvent: @escaping (PeerConnectionEvent) -> Void
    ) {
        self.number = number
        self.port = port
        self.onEvent = onEvent
        // The references are weak, since the receiver of an event may release this peer at once.
        self.engine = EngineLoop(
            engine, on: port.loop, perform: { [weak self] in self?.perform($0) },
            settled: { [weak self] in self?.settled() })
    }

    func take(_ input: consuming PeerEngine.Input) { engine.feed(input) }

    func isProven(at way: RouteTable.Way) -> Bool {
        engine.read { $0.isProven(from: way.remote, onLocal: way.base) }
    }

    /// Changes the engine and executes its outputs. The outputs of a removed peer are dropped.
    func update<Value, Failure: Error>(
        _ body: (PeerEngine, Instant) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        engine.update { engine, now in
            do throws(Failure) {
                result = .success(try body(engine, now))
            } catch {
                result = .failure(error)
            }
        }
        if let result { return try result.get() }
        return try body(engine.read { $0 }, MonotonicClock.now)
    }

    func close(_ goodbye: (PeerEngine, Instant) -> Void) {
        guard let port else { return }
        engine.update { engine, now in goodbye(engine, now) }
        port.remove(self)
    }

    /// Stops the engine: no more outputs are executed.
    func stop() {
        port = nil
        engine.stop()
    }

    private func perform(_ output: PeerEngine.Output) {
        switch output {
        case .datagram(let bytes, let from, let to): port?.send(bytes, from: from, to: to, by: self)
        case .resolve(let name): port?.resolve(name, for: self)
        case .connect(let from, let to): port?.connect(from: from, to: to, for: self)
        case .server(let id, let command): port?.serve(id, command, for: self)
        case .event(let event): onEvent(event)
        }
    }

    private func settled() {
        guard let port, let name = engine.read({ $0.localUsernameFragment }), name != learned else { return }
        learned = name
        port.learn(name, of: self)
    }
}
