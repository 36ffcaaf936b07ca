import Foundation
import HelioCore
import HelioLinks
import HelioTunnel
import NIOCore

// Links by local sockets between the ends of a world.

extension TunnelWorld {
    /// The statistics of the viewer's links and of the host's.
    var bothLinks: [LinkBundleStatistics?] { [viewer?.statistics, host.statistics(of: .virtual(1))] }

    /// True if both ends use one link for everything.
    func uses(_ link: LinkID) -> Bool { bothLinks.allSatisfy { $0?.media == link && $0?.control == link } }

    /// Adds a link by a local socket to both ends.
    func lay(_ traits: LinkTraits) async throws {
        let link = try await layToHost(traits)
        try await on { world in
            guard let link = link.value else { return }
            world.viewer?.add(link)
        }
    }

    /// Adds a link by a local socket to the host alone; returns its other end.
    func layToHost(_ traits: LinkTraits = StandInLink.narrow) async throws -> Box<StandInLink> {
        let path = FileManager.default.temporaryDirectory
            .appending(path: "heliograph-\(UInt64.random(in: 0 ... .max)).sock").path
        let accepted = Self.loop.makePromise(of: Void.self)
        let listening = try await on { world in
            StandInLink.listen(at: path, traits, on: Self.loop) { [weak world] link in
                world?.host.add(link, to: .virtual(1))
                world?.hostLinks.append(link)
                accepted.succeed()
            }
        }
        let listener = try await listening.get()
        let box = Box<StandInLink>()
        let connected = Self.loop.makePromise(of: Void.self)
        try await on { _ in
            StandInLink.connect(to: path, traits, on: Self.loop) { result in
                box.value = try? result.get()
                connected.completeWith(result.map { _ in })
            }
        }
        try await connected.futureResult.get()
        try await accepted.futureResult.get()
        try await listener.close()
        try? FileManager.default.removeItem(atPath: path)
        return box
    }

    /// Cuts a link at the host, which hears nothing of it; the viewer's socket tells the viewer.
    func cutLink(_ index: Int) { hostLinks[index].close() }
}
