import HelioWebRTC

/// One end of a connection with its own endpoint, and waits for its events.
final class PeerEnd {
    struct Silence: Error, CustomStringConvertible { let description: String }

    let endpoint: WebRTCEndpoint
    let peer: PeerConnection
    private var events: PeerEvents.AsyncIterator
    /// Events that were passed over by waits, in order.
    private var kept: [PeerEvent] = []

    init(_ endpoint: WebRTCEndpoint, _ options: PeerConnection.Options = PeerConnection.Options()) async throws {
        self.endpoint = endpoint
        peer = try await endpoint.connect(options)
        events = peer.events.makeAsyncIterator()
    }

    static func make(
        _ settings: WebRTCEndpoint.Options = .onLoopback, _ options: PeerConnection.Options = PeerConnection.Options()
    ) async throws -> PeerEnd {
        try await PeerEnd(WebRTCEndpoint.open(settings), options)
    }

    /// Returns the next event for which `meaning` is not `nil`; those before it are kept. Throws at the end of the
    /// events or of the test's time.
    func wait<Value>(_ what: String, for meaning: (PeerEvent) -> Value?) async throws -> Value {
        for (place, event) in kept.enumerated() {
            if let value = meaning(event) {
                kept.remove(at: place)
                return value
            }
        }
        while let event = await events.next() {
            if let value = meaning(event) { return value }
            kept.append(event)
        }
        throw Silence(description: "no \(what); kept: \(kept)")
    }

    func state(_ wanted: PeerState) async throws {
        try await wait("state \(wanted)") { event -> Void? in
            if case .state(wanted) = event { () } else { nil }
        }
    }

    func channel(_ label: String) async throws -> DataChannel {
        try await wait("channel \(label)") {
            if case .channelOpened(let channel) = $0, channel.label == label { channel } else { nil }
        }
    }

    func message() async throws -> DataMessage {
        try await wait("message") { if case .message(_, let message) = $0 { message } else { nil } }
    }

    func picture() async throws -> ReceivedPicture {
        try await wait("picture") { if case .video(let picture) = $0 { picture } else { nil } }
    }

    /// Reads events until the end.
    func end() async {
        while await events.next() != nil {}
    }

    /// Makes a complete offer, and applies the other end's answer; `change` rewrites both texts.
    func offer(
        to other: PeerEnd, restartsICE: Bool = false, change: (String) -> String = { $0 }
    ) async throws {
        _ = try await peer.makeOffer(restartsICE: restartsICE)
        try await other.peer.takeOffer(change(await peer.completeDescription() ?? ""))
        _ = try await other.peer.makeAnswer()
        try await peer.takeAnswer(change(await other.peer.completeDescription() ?? ""))
    }

    func connect(to other: PeerEnd) async throws {
        try await offer(to: other)
        try await state(.connected)
        try await other.state(.connected)
    }
}
