#if canImport(HelioLinuxSink)
package import HelioAppleMedia
package import Synchronization

/// Sessions that decode by FFmpeg, and misbehave as they are told.
package final class FakeSessions: DecompressionSessionMaking {
    package enum Trouble: Sendable {
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

    package struct State: Sendable {
        /// Trouble at the sample of this number, counted over all sessions from 0; each is used up.
        package var troubles: [Int: [Trouble]] = [:]
        package var samples = 0
        package var formats: [DecompressionFormat] = []
        package var invalidated = 0
        /// What the next sessions' making gives.
        package var makeStatuses: [SessionStatus] = []
        package var acceptsOthers = true
        package var late: [@Sendable () -> Void] = []
        /// What was given to be decoded late, as the session has it.
        package var kept: [[UInt8]] = []
    }

    package let state = Mutex(State())
    package let isHardware: Bool
    package var name: String { "Fake" }

    package init(isHardware: Bool = true, troubles: [Int: [Trouble]] = [:]) {
        self.isHardware = isHardware
        state.withLock { $0.troubles = troubles }
    }

    package func make(_ format: DecompressionFormat) -> (session: FakeSession?, status: SessionStatus) {
        let status = state.withLock { state in
            state.formats.append(format)
            return state.makeStatuses.isEmpty ? SessionStatus.done : state.makeStatuses.removeFirst()
        }
        guard status == .done else { return (nil, status) }
        return (FakeSession(self, format), .done)
    }

    package func deliverLate() {
        for closure in state.withLock({ state in
            defer { state.late = [] }
            return state.late
        }) { closure() }
    }
}
#endif
