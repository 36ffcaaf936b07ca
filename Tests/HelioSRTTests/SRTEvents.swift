import HelioBroadcast
import HelioCore
import HelioSRT
import HelioTestPrograms
import Synchronization

/// What a sender has told, to wait for.
final class SRTEvents: Sendable {
    private let state = Mutex<[BroadcastEvent]>([])

    var all: [BroadcastEvent] { state.withLock { $0 } }

    func add(_ event: BroadcastEvent) { state.withLock { $0.append(event) } }

    func count(where fits: (BroadcastEvent) -> Bool) -> Int { all.filter(fits).count }

    var connections: Int {
        count { $0 == .state(.live) }
    }

    var breaks: [BroadcastFailure.Kind] {
        all.compactMap { if case .state(.waiting(let failure)) = $0 { failure?.kind } else { nil } }
    }

    func connected(times: Int = 1) async throws {
        try await eventually("it is connected", sees: "\(all)") { connections >= times }
    }

    /// The state that ends it.
    func end() async throws -> BroadcastState? {
        try await eventually("it ends", sees: "\(all)") { final != nil }
        return final
    }

    private var final: BroadcastState? {
        all.compactMap { if case .state(let state) = $0, state.isFinal { state } else { nil } }.last
    }
}
