#if canImport(HelioLinuxSink)
package import HelioAppleMedia
package import Synchronization

/// Decompression sessions based on FFmpeg, with faults that tests inject.
package final class FakeSessions: DecompressionSessionMaking {
    package enum Trouble: Sendable {
        /// The decode call returns that the session is invalid.
        case invalidAtOnce
        /// The callback reports that the session is invalid.
        case invalidInCallback
        /// The callback is called by `deliverLate`.
        case late
        case never
        case twice
        case leftOut
        case badData
        /// The callback is called on another thread.
        case elsewhere
    }

    package struct State: Sendable {
        /// Faults by sample number, counted from 0 over all sessions; each is used once.
        package var troubles: [Int: [Trouble]] = [:]
        package var samples = 0
        package var formats: [DecompressionFormat] = []
        package var invalidated = 0
        /// The statuses that the next attempts to make a session return.
        package var makeStatuses: [SessionStatus] = []
        package var acceptsOthers = true
        package var late: [@Sendable () -> Void] = []
        /// The bytes of samples that are to be decoded late, as the session holds them.
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
