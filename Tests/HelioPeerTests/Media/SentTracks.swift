import HelioCore
import HelioMedia
import HelioPeer
import Testing

/// Tracks that a host sends and a viewer has agreed to receive; each belongs to a named media stream.
struct SentTracks {
    /// The transceivers in the order of the tracks.
    let ids: [Transceiver.ID]
    let streams: [Transceiver.ID: SendingStream]
    let media: [NegotiatedMedia]

    init(_ tracks: [(kind: MediaKind, stream: String)]) throws {
        var host = Peer("host", MediaWorld.configuration("host"))
        var viewer = Peer("viewer", MediaWorld.configuration("viewer"))
        var streams: [Transceiver.ID: SendingStream] = [:]
        ids = try tracks.map { track in
            var stream = host.stream()
            stream.stream = track.stream
            let id = try host.negotiation.addTrack(track.kind, stream, receives: false)
            streams[id] = stream
            return id
        }
        self.streams = streams
        try host.exchange(with: &viewer)
        media = try #require(host.negotiation.agreement?.media)
    }
}
