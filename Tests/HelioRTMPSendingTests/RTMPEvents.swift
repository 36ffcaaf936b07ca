import HelioBroadcast
import HelioCore
import HelioTestPrograms
import Synchronization

/// What a sender has told, to wait for.
final class RTMPEvents: Sendable {
    private let state = Mutex<[BroadcastEvent]>([])

    var all: [BroadcastEvent] { state.withLock { $0 } }

    func add(_ event: BroadcastEvent) { state.withLock { $0.append(event) } }

    var states: [BroadcastState] {
        all.compactMap { if case .state(let state) = $0 { state } else { nil } }
    }

    /// Returns true where it has waited for this reason.
    func hasWaited(for failure: RTMPFailure) -> Bool { states.contains(.waiting(failure.failure)) }

    func live(times: Int = 1) async throws {
        try await eventually("it is live", sees: "\(all)") { states.count { $0 == .live } >= times }
    }

    /// The state that ends it.
    func end(within limit: Duration = Patience.usual) async throws -> BroadcastState? {
        try await eventually("it ends", within: limit, sees: "\(all)") { states.last?.isFinal ?? false }
        return states.last
    }
}
