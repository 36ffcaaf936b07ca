import HelioBroadcast
import HelioTestPrograms
import Synchronization

/// What a sender has told, to wait for.
final class WHIPEvents: Sendable {
    private let state = Mutex<[BroadcastEvent]>([])

    var all: [BroadcastEvent] { state.withLock { $0 } }

    func add(_ event: BroadcastEvent) { state.withLock { $0.append(event) } }

    var states: [BroadcastState] { all.compactMap { if case .state(let state) = $0 { state } else { nil } } }
    var keyframesWanted: Int { all.count { $0 == .wantsKeyframe } }
    var connections: Int { states.count { $0 == .live } }

    var breaks: [BroadcastFailure.Kind] {
        states.compactMap { if case .waiting(let failure) = $0 { failure?.kind } else { nil } }
    }

    func connected(times: Int = 1, within limit: Duration = Patience.usual) async throws {
        try await eventually("it is connected", within: limit, sees: "\(all)") { connections >= times }
    }

    /// Why it was refused for good.
    func refusal() async throws -> BroadcastFailure? {
        try await eventually("it ends", sees: "\(all)") { states.last?.isFinal == true }
        return states.last?.failure
    }
}
