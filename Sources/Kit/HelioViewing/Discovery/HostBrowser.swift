private import HelioCore
internal import HelioDiscovery
private import Synchronization

/// Browses for the hosts that announce themselves on the local network: each element lists all hosts that are known
/// then.
///
/// ```swift
/// for await known in HostBrowser() {
///     for host in known.hosts { print(host.name, host.address) }
/// }
/// ```
///
/// A reader that is slow sees the newest list alone. Browsing ends with the loop. Where it is not possible, because
/// Avahi does not run, an element says so, and browsing begins as soon as it does.
public struct HostBrowser: AsyncSequence, Sendable {
    /// The hosts that are known at one moment, and the state of the search.
    public struct Snapshot: Sendable {
        /// The hosts, sorted by name; at most 256.
        public let hosts: [DiscoveredHost]
        /// True once all hosts that were there at the beginning have been listed, as far as can be known.
        public let isSettled: Bool
        /// The reason why no hosts can be found, where that is so.
        public let obstacle: String?
        /// Announcements that were dropped, counted by reason.
        public let drops: [String: Int]
    }

    /// Makes a browser, which looks for hosts from the first call of `makeAsyncIterator` on.
    public init() {}

    /// Starts to browse.
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
