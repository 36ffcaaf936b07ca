internal import HelioCore
internal import NIOCore

/// A viewer's search for a better path while ICE has none, or only one by a relay: restarts ICE over the call, which
/// leaves the present path in use until there is a better one. Lives on one event loop.
///
/// A network that blocks UDP may let it through at any time, so the search is frequent. If both ends have reached a STUN
/// server by UDP, twice in sequence, and there is still no direct path, their NATs forbid it, and the search slows down.
/// Once is not enough: the block may have ended within that search, after its checks.
final class PathSearch {
    private let settings: TunnelSettings
    private let loop: any EventLoop
    /// Restarts ICE.
    private let restart: () -> Void
    private var next: Scheduled<Void>?
    private var isOver = false
    /// True once a slow search was put off from the frequent one's time.
    private var isPutOff = false
    /// The number of searches in sequence in which both ends lacked nothing, and yet found no direct path.
    private var fruitless = 0
    /// The last path.
    private var path: Path = .none
    /// The kinds of candidates since the last restart, of this end and of the other one.
    private var here = Seen()
    private var there = Seen()

    private enum Path { case none, relayed, direct }

    private struct Seen {
        var hasHost = false
        var hasReflexive = false

        mutating func note(_ text: String) {
            if text.contains("typ host") { hasHost = true }
            if text.contains("typ srflx") { hasReflexive = true }
        }

        /// True if this end is known to lack nothing: a STUN server has answered it, or it offers its relays alone.
        var isComplete: Bool { hasReflexive || !hasHost }
    }

    init(_ settings: TunnelSettings, on loop: any EventLoop, restart: @escaping () -> Void) {
        self.settings = settings
        self.loop = loop
        self.restart = restart
    }

    /// Begins, once the links do.
    func begin() { if path != .direct { schedule(in: settings.searches) } }

    /// Notes a description or a candidate of this end.
    func note(local text: String) { here.note(text) }

    /// Notes a description or a candidate of the other end.
    func note(remote text: String) { there.note(text) }

    /// Handles another path; `isRelayed` is `nil` if there is none.
    func changed(isRelayed: Bool?) {
        let before = path
        path = isRelayed.map { $0 ? .relayed : .direct } ?? .none
        guard path != before else { return }
        cancel()
        fruitless = 0
        switch path {
        case .direct: break
        case .relayed: schedule(in: settings.searches)
        // A path that was lost may be back soon.
        case .none: schedule(in: settings.searchDelay)
        }
    }

    func stop() {
        isOver = true
        cancel()
    }

    private func cancel() {
        next?.cancel()
        next = nil
        isPutOff = false
    }

    private func schedule(in time: Duration) {
        // This end wants no better path than a relay's.
        guard !isOver, next == nil, path != .relayed || !settings.usesRelaysOnly else { return }
        next = loop.assumeIsolated().scheduleTask(in: .nanoseconds(time.nanoseconds)) { [weak self] in self?.search() }
    }

    private func search() {
        next = nil
        if path == .relayed, here.isComplete, there.isComplete { fruitless += 1 } else { fruitless = 0 }
        if fruitless > 1, !isPutOff {
            isPutOff = true
            return schedule(in: max(.zero, settings.slowSearches - settings.searches))
        }
        isPutOff = false
        (here, there) = (Seen(), Seen())
        schedule(in: settings.searches)
        restart()
    }
}
