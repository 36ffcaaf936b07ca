import HelioCore
import HelioGround
import Synchronization

/// A follower of a session, which is called when the session's monitors change or it ends, as long as this object
/// lasts.
package final class SessionFollower: Sendable {
    private let signal: @Sendable () -> Void
    private let areMonitorsNews = Mutex(false)

    init(_ signal: @escaping @Sendable () -> Void) { self.signal = signal }

    /// Returns true if the monitors may have changed since the last call.
    package func takeMonitorNews() -> Bool {
        areMonitorsNews.withLock { news in
            defer { news = false }
            return news
        }
    }

    fileprivate func notify(ofMonitors: Bool) {
        if ofMonitors { areMonitorsNews.withLock { $0 = true } }
        signal()
    }
}

/// The state that a session's thread shares with its callers: the reason for the session's end, and the followers.
final class SessionState: Sendable {
    private struct Follower: @unchecked Sendable {
        weak var object: SessionFollower?
    }

    private struct State: Sendable {
        var end: String?
        var followers: [Follower] = []
    }

    private let state = Mutex(State())

    var end: String? { state.withLock { $0.end } }

    func follow(_ signal: @escaping @Sendable () -> Void) -> SessionFollower {
        let follower = SessionFollower(signal)
        state.withLock { state in
            state.followers.removeAll { $0.object == nil }
            state.followers.append(Follower(object: follower))
        }
        return follower
    }

    func finish(_ reason: String) {
        state.withLock { if $0.end == nil { $0.end = reason } }
        notify()
    }

    /// Has those who follow look.
    func notify(ofMonitors: Bool = false) {
        for follower in state.withLock({ $0.followers }) { follower.object?.notify(ofMonitors: ofMonitors) }
    }
}
