internal import HelioCore
internal import HelioRTSPClient
internal import HelioServing

/// The running publication, which sends the viewers' stream to an RTSP server.
final class Publication: Sendable {
    private let url: String
    private let client: RTSPClient<RTSPRecordClient>

    fileprivate init(url: String, client: RTSPClient<RTSPRecordClient>) {
        self.url = url
        self.client = client
    }

    func statistics() async throws -> SourceStatistics.Publication {
        SourceStatistics.Publication(try await client.statistics(), url: url)
    }
    func stop() async { await client.stop() }
}

extension PublishOptions {
    /// Starts to publish; a server that can't be reached yet is retried. Throws `systemFailed` if TLS can't be set up.
    func open(_ supply: StreamSupply, on ground: Groundwork) async throws(HelioError) -> Publication {
        let (url, feed, audience, events) = (shownURL, supply.feed, supply.audience, ground.events)
        let client = try await RTSPClient<RTSPRecordClient>.record(
            to: address, format: supply.format, sound: supply.sound == nil ? nil : sound?.streamed,
            soundOrigin: supply.sound ?? .system, isInterleavedOnly: isInsideConnection, stream: supply.mailbox,
            on: ground.loop
        ) { event in
            switch event {
            case .keyframeNeeded(let reason): feed.requestKeyframe(reason)
            case .frameNeeded: feed.repeatPicture()
            case .watched(let watched): audience.setPublication(watched)
            case .soundWanted(let demands): audience.setSound(demands, of: .publication)
            case .published(let isInterleaved):
                events.note("Published at \(url), over \(isInterleaved ? "TCP" : "UDP").")
            case .soundRefused(let reason): events.note("Published at \(url) without sound: \(reason)")
            case .lost(let reason): events.note("No longer published at \(url): \(reason) Heliograph keeps trying.")
            case .waiting(let reason): events.note("Not yet published at \(url): \(reason) Heliograph keeps trying.")
            case .failed(let error): events.put(.publicationFailed(url: url, error))
            }
        }
        return Publication(url: url, client: client)
    }
}
