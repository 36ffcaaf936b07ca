private import HelioCore
internal import HelioDiscovery
private import Synchronization

/// The hosts that announce themselves on the local network, from now on: each element is all of them.
///
/// ```swift
/// for await known in HostBrowser() {
///     for host in known.hosts { print(host.name, host.address) }
/// }
/// ```
///
/// Whoever is slow to take them sees the newest list alone. Looking ends with the loop. Where nothing can be looked for,
/// because Avahi does not run, an element says so, and looking goes on as soon as it does.
public struct HostBrowser: AsyncSequence, Sendable {
    /// What is known at a moment.
    public struct Snapshot: Sendable {
        /// By name; at most 256.
        public let hosts: [DiscoveredHost]
        /// Whether all hosts that were there at the beginning have been told, as far as can be known.
        public let isSettled: Bool
        /// Why nothing can be found, where that is so.
        public let obstacle: String?
        /// What was thrown away of all that was announced, by name.
        public let drops: [String: Int]
    }

    /// Looks for hosts from the first call of `makeAsyncIterator` on.
    public init() {}

    /// Begins to look for hosts.
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
        drops = Dictionary(uniqueKeysWithValues: directory.drops.named.map { ($0.name, $0.count) })
    }
}
