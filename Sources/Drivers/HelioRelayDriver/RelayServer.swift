package import HelioCore
private import HelioLocalSocket
package import HelioRelay
package import HelioRelayWire
private import Synchronization

/// An app's Unix socket for its broadcast extension (rows 134 to 137): in a folder of its own, for this user alone.
///
/// One thread takes connections, reads, and calls `events`. It reads no more while `events` is busy, so a slow app is
/// noticed by the extension, which drops pictures; nothing piles up here. A call of `events` that takes longer than the
/// extension's patience, 0.9 s, loses the extension, which then connects again.
package final class RelayServer: Sendable {
    private let core: RelayServerCore

    /// Listens. Throws `systemFailed` where the path's folder is open to others or another process listens, and
    /// `invalidArgument` for a path that is too long.
    ///
    /// - Parameter events: called on the server's thread, one event after another.
    package init(
        path: String, settings: AppRelaySettings = AppRelaySettings(),
        events: @escaping @Sendable (AppRelayEvent) -> Void
    ) throws(HelioError) {
        core = try RelayServerCore(path: path, settings: settings, events: events)
        try core.start()
    }

    deinit { core.end() }

    /// Asks the extension for a keyframe.
    package func requestKeyframe() { core.requestKeyframe() }

    /// Tells the extension, and those that come after it, what their encoders are to keep to.
    package func wish(_ wish: RelayWish) { core.wish(wish) }

    /// Tells extensions that the app takes no more, closes, and removes the socket; waits for it, so long at most.
    package func stop(within limit: Duration = .seconds(1)) {
        core.end()
        core.waitForEnd(within: limit)
    }

    package var statistics: RelayServerStatistics { core.statistics }
}
