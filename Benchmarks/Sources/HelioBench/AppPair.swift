import HelioCore
import HelioWebRTC

/// Two apps of the public library, each with its own endpoint on the loopback interface, and a data channel from the
/// first to the second.
struct AppPair {
    let a: PeerConnection
    let b: PeerConnection
    /// The channel at `a` and at `b`.
    let channels: (DataChannel, DataChannel)
    let track: VideoTrack?

    static func endpoint() async throws -> WebRTCEndpoint {
        var options = WebRTCEndpoint.Options()
        options.addresses = ["127.0.0.1"]
        return try await .open(options)
    }

    /// Makes a pair, and waits until both ends have the channel.
    static func connect(
        _ endpoints: (WebRTCEndpoint, WebRTCEndpoint), hasVideo: Bool = false
    ) async throws -> AppPair {
        let a = try await endpoints.0.connect()
        let b = try await endpoints.1.connect()
        _ = try await a.openChannel("bench")
        let track = hasVideo ? try await a.addVideoTrack(stream: "screen") : nil
        _ = try await a.makeOffer()
        guard let offer = await a.completeDescription() else { preconditionFailure("no offer") }
        try await b.takeOffer(offer)
        _ = try await b.makeAnswer()
        guard let answer = await b.completeDescription() else { preconditionFailure("no answer") }
        try await a.takeAnswer(answer)
        return AppPair(a: a, b: b, channels: (try await opened(a), try await opened(b)), track: track)
    }

    private static func opened(_ peer: PeerConnection) async throws -> DataChannel {
        for await event in peer.events {
            switch event {
            case .channelOpened(let channel): return channel
            case .failure(let reason): throw HelioError(.unreachable, reason)
            default: break
            }
        }
        throw HelioError(.ended, "closed before it was connected")
    }

    /// The number of bytes in the next `count` messages.
    static func receive(_ count: Int, at peer: PeerConnection) async -> Int {
        var (left, bytes) = (count, 0)
        for await event in peer.events {
            guard case .message(_, let message) = event else { continue }
            switch message {
            case .text(let text): bytes += text.utf8.count
            case .binary(let data): bytes += data.count
            }
            left -= 1
            if left == 0 { return bytes }
        }
        preconditionFailure("closed before all messages had come")
    }

    func close() async {
        await a.close()
        await b.close()
    }
}
