import HelioViewerFlow
import HelioViewing

/// A session whose host is played by the test.
@MainActor
final class FakeSession: WatchingSession {
    enum Call: Equatable {
        case start
        case send(SinkInput)
        case monitor(String)
        case sound(Bool)
        case actualSize(Bool)
        case paused(Bool)
        case leave
    }

    let host: OpenedHost
    let options: SessionOptions
    let tell: (SessionEvent) -> Void
    var calls: [Call] = []

    init(_ host: OpenedHost, _ options: SessionOptions, _ tell: @escaping (SessionEvent) -> Void) {
        self.host = host
        self.options = options
        self.tell = tell
    }

    func start() { calls.append(.start) }
    func send(_ input: SinkInput) { calls.append(.send(input)) }
    func selectMonitor(_ id: String) { calls.append(.monitor(id)) }
    func setSound(on: Bool) { calls.append(.sound(on)) }
    func setActualSize(_ isOn: Bool) { calls.append(.actualSize(isOn)) }
    func setPaused(_ isPaused: Bool) { calls.append(.paused(isPaused)) }
    func leave() { calls.append(.leave) }

    /// Returns and clears the recorded calls.
    func taken() -> [Call] {
        defer { calls = [] }
        return calls
    }
}
