import HelioCore
import HelioRTMPLink
import HelioTestPrograms
import Synchronization

/// What a sender has told, to wait for.
final class RTMPEvents: Sendable {
    private let state = Mutex<[RTMPEvent]>([])

    var all: [RTMPEvent] { state.withLock { $0 } }

    func add(_ event: RTMPEvent) { state.withLock { $0.append(event) } }

    var states: [RTMPState] {
        all.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }

    func published(times: Int = 1) async throws {
        try await eventually("it is published", sees: "\(all)") { states.count { $0 == .publishing } >= times }
    }

    /// The state that ends it.
    func end(within limit: Duration = Patience.usual) async throws -> RTMPState? {
        try await eventually("it ends", within: limit, sees: "\(all)") { states.last?.isFinal ?? false }
        return states.last
    }
}
