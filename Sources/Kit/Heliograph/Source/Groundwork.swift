private import Foundation
internal import HelioStores
internal import NIOCore
private import NIOPosix

/// The base of a source, on which its parts start: made before any of them, and ended after all of them.
struct Groundwork {
    /// The options, with the location that was found usable for keys and pairings.
    let options: MirrorSource.Options
    let identity: Identity
    /// The event loop of all sockets.
    let loop: any EventLoop
    let events: SourceEvents
    /// Gets each part as it starts.
    let parts: RunningParts
    /// The name of this machine, as paired devices and its network see it.
    let name: String

    /// Starts the event loop.
    init(_ options: MirrorSource.Options, identity: Identity) {
        self.options = options
        self.identity = identity
        parts = RunningParts()
        loop = parts.add(SocketLoop()).group.next()
        events = parts.add(SourceEvents())
        name = options.name ?? ProcessInfo.processInfo.hostName
    }
}
