private import HelioCore
internal import HelioDiscovery
private import Synchronization

/// Browses for the hosts that announce themselves on the local network: each element lists all hosts known at that
/// moment.
///
/// ```swift
/// for await known in HostBrowser() {
///     for host in known.hosts { print(host.name, host.address) }
/// }
/// ```
///
/// A slow reader gets the newest list only. Browsing ends with the loop. If browsing is impossible because Avahi does
/// not run, an element's `obstacle` says so, and browsing begins as soon as Avahi runs.
public struct HostBrowser: AsyncSequence, Sendable {
    /// The hosts known at one moment, and the state of the search.
    public struct Snapshot: Sendable {
        /// The hosts, sorted by name; at most 256.
        public let hosts: [DiscoveredHost]
        /// True once all hosts that were present at the beginning have been listed, as far as that can be known.
        public let isSettled: Bool
        /// The reason why hosts can't be found; `nil` if browsing works.
        public let obstacle: String?
        /// The number of dropped announcements by reason.
        public let drops: [String: Int]
    }

    /// Makes a browser; it starts at the first call of `makeAsyncIterator`.
    public init() {}

    /// Starts to browse, until the iteration ends.
    public func makeAsyncIterator() -> AsyncStream<Snapshot>.Iterator {
        let (stream, continuation) = AsyncStream.makeStream(of: Snapshot.self, bufferingPolicy: .bufferingNewest(1))
        let directory = Mutex(HostDirectory())
        let browser = LocalDiscovery.browse { event in
            let snapshot = directory.withLock { directory in
                directory.take(event)
                return Snapshot(directory)
            }
            continuation.yield(snapshot)
        }
        continuation.onTermination = { _ in browser.stop() }
        return stream.makeAsyncIterator()
    }
}

extension HostBrowser.Snapshot {
    fileprivate init(_ directory: HostDirectory) {
        hosts = directory.hosts.map { DiscoveredHost($0) }
        isSettled = directory.isSettled
        obstacle = directory.obstacle?.description
        drops = directory.drops.byName
    }
}
