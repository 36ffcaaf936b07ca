package import HelioCore
private import HelioLocalSocket
package import HelioRelay
package import HelioRelayWire
private import Synchronization

/// An app's Unix socket for its broadcast extension (requirement rows 134 to 137), in a folder of its own that only
/// this user can access.
///
/// A single thread accepts connections, reads, and calls `events`. No data is read while `events` runs, so the server
/// needs no queue: the extension detects a slow app, and drops pictures. If a call of `events` takes longer than the
/// extension's time-out of 0.9 s, the extension disconnects and connects again.
package final class RelayServer: Sendable {
    private let core: RelayServerCore

    /// Listens. Throws `systemFailed` if the path's folder is open to others or another process listens, and
    /// `invalidArgument` for a path that is too long.
    ///
    /// - Parameter events: called with each event on the server's thread, in order.
    package init(
        path: String, settings: AppRelaySettings = AppRelaySettings(),
        events: @escaping @Sendable (AppRelayEvent) -> Void
    ) throws(HelioError) {
        core = try RelayServerCore(path: path, settings: settings, events: events)
        try core.start()
    }

    deinit { core.end() }

    /// Requests a keyframe from the extension.
    package func requestKeyframe() { core.requestKeyframe() }

    /// Sets the encoder limits for the current extension and for later ones.
    package func wish(_ wish: RelayWish) { core.wish(wish) }

    /// Notifies extensions that the app accepts no more media, closes all connections, and removes the socket. Waits
    /// for the end, but no longer than `limit`.
    package func stop(within limit: Duration = .seconds(1)) {
        core.end()
        core.waitForEnd(within: limit)
    }

    package var statistics: AppRelayStatistics { core.statistics }
}
