import HelioBroadcast
import HelioTestPrograms
import Synchronization

/// The events that a sender has reported; tests wait for them.
final class SenderEvents: Sendable {
    private let state = Mutex<[BroadcastEvent]>([])

    var all: [BroadcastEvent] { state.withLock { $0 } }

    func add(_ event: BroadcastEvent) { state.withLock { $0.append(event) } }

    var states: [BroadcastState] { all.compactMap { if case .state(let state) = $0 { state } else { nil } } }
    var keyframesWanted: Int { all.count { $0 == .wantsKeyframe } }
    var connections: Int { states.count { $0 == .live } }

    /// The kinds of the failures after which the sender has waited.
    var breaks: [BroadcastFailure.Kind] {
        states.compactMap { if case .waiting(let failure) = $0 { failure?.kind } else { nil } }
    }

    func connected(times: Int = 1) async throws {
        try await eventually("it is connected", sees: "\(all)") { connections >= times }
    }

    /// Waits for the final state.
    func end(within limit: Duration = Patience.usual) async throws -> BroadcastState? {
        try await eventually("it ends", within: limit, sees: "\(all)") { states.last?.isFinal ?? false }
        return states.last
    }
}
