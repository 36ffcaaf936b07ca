import HelioAppleMedia
import HelioBitstream
import HelioCore
import HelioLinuxSink
import Synchronization

/// Sessions that decode by FFmpeg, and misbehave as they are told.
final class FakeSessions: DecompressionSessionMaking {
    enum Trouble: Sendable {
        /// The call says that the session is invalid.
        case invalidAtOnce
        /// The callback says so.
        case invalidInCallback
        /// The callback comes when `deliverLate` is called.
        case late
        case never
        case twice
        case leftOut
        case badData
        /// From another thread.
        case elsewhere
    }

    struct State: Sendable {
        /// Trouble at the sample of this number, counted over all sessions from 0; each is used up.
        var troubles: [Int: [Trouble]] = [:]
        var samples = 0
        var formats: [DecompressionFormat] = []
        var invalidated = 0
        /// What the next sessions' making gives.
        var makeStatuses: [SessionStatus] = []
        var acceptsOthers = true
        var late: [@Sendable () -> Void] = []
        /// What was given to be decoded late, as the session has it.
        var kept: [[UInt8]] = []
    }

    let state = Mutex(State())
    let isHardware: Bool
    var name: String { "Fake" }

    init(isHardware: Bool = true, troubles: [Int: [Trouble]] = [:]) {
        self.isHardware = isHardware
        state.withLock { $0.troubles = troubles }
    }

    func make(_ format: DecompressionFormat) -> (session: FakeSession?, status: SessionStatus) {
        let status = state.withLock { state in
            state.formats.append(format)
            return state.makeStatuses.isEmpty ? SessionStatus.done : state.makeStatuses.removeFirst()
        }
        guard status == .done else { return (nil, status) }
        return (FakeSession(self, format), .done)
    }

    func deliverLate() {
        for closure in state.withLock({ state in
            defer { state.late = [] }
            return state.late
        }) { closure() }
    }
}
