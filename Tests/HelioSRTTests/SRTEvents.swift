import HelioCore
import HelioSRT
import HelioSRTLink
import HelioTestPrograms
import Synchronization

/// What a sender has told, to wait for.
final class SRTEvents: Sendable {
    private let state = Mutex<[SRTEvent]>([])

    var all: [SRTEvent] { state.withLock { $0 } }

    func add(_ event: SRTEvent) { state.withLock { $0.append(event) } }

    func count(where fits: (SRTEvent) -> Bool) -> Int { all.filter(fits).count }

    var connections: Int {
        count { if case .state(.connected) = $0 { true } else { false } }
    }

    var breaks: [SRTBreak] {
        all.compactMap { if case .state(.broken(let reason)) = $0 { reason } else { nil } }
    }

    func connected(times: Int = 1) async throws {
        try await eventually("it is connected", sees: "\(all)") { connections >= times }
    }

    /// The state that ends it.
    func end() async throws -> SRTState? {
        try await eventually("it ends", sees: "\(all)") { final != nil }
        return final
    }

    private var final: SRTState? {
        all.compactMap { if case .state(let state) = $0, state.isFinal { state } else { nil } }.last
    }
}
