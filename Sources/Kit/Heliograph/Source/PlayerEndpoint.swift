internal import HelioCore
internal import HelioRTSPServer
internal import HelioServing
internal import HelioSharing

/// The running RTSP endpoint for ordinary players, which sends them the viewers' stream.
final class PlayerEndpoint: Sendable {
    /// The URL of the stream, for display.
    let url: String
    private let server: RTSPServer<RTSPPlayServer>

    fileprivate init(url: String, server: RTSPServer<RTSPPlayServer>) {
        self.url = url
        self.server = server
    }

    func statistics() async throws -> RTSPPlayServer.Statistics { try await server.statistics() }
    func stop() async { await server.stop() }
}

extension PlayerOptions {
    /// Starts to serve players. Throws `systemFailed` if the port can't be opened.
    func open(_ supply: StreamSupply, on ground: Groundwork) async throws(HelioError) -> PlayerEndpoint {
        let (feed, audience, events) = (supply.feed, supply.audience, ground.events)
        let server = try await RTSPServer<RTSPPlayServer>.start(
            .init(address: address, port: port, credentials: credentials?.parsed), format: supply.format,
            sound: supply.sound == nil ? nil : sound?.streamed, soundOrigin: supply.sound ?? .system,
            stream: supply.mailbox, on: ground.loop
        ) { event in
            switch event {
            case .keyframeNeeded(let reason): feed.requestKeyframe(reason)
            case .frameNeeded: feed.repeatPicture()
            case .watched(let watched): audience.setPlayers(watched)
            case .soundWanted(let demands): audience.setSound(demands, of: .players)
            case .joined(let address): events.put(.viewerJoined(address: Self.name(address), device: nil))
            case .left(let address, let reason):
                events.put(.viewerLeft(address: Self.name(address), device: nil, reason: reason))
            case .refused(let address, let reason):
                events.put(.viewerRefused(address: Self.name(address), reason: reason))
            }
        }
        let authority = LocalAddress.authority(listeningAt: address, port: server.localPort)
        return PlayerEndpoint(url: "rtsp://\(authority)/screen", server: server)
    }

    private static func name(_ address: String) -> String { "\(address) (a player)" }
}
