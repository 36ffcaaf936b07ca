internal import HelioCore
import HelioMedia
private import HelioOpenSSL
internal import HelioPeer
internal import HelioPeerPort
private import HelioProtection
private import HelioRTP
internal import HelioRemoteWire
private import HelioSCTP
private import HelioSDP
internal import HelioSession
internal import NIOCore

/// The peer connections of browsers' viewers, on the host's event loop: carries out what `SourceHost` wants of them, and
/// tells it what becomes of them.
///
/// A slice is cut into packets once for all of them, and protected for each. Input goes straight from a datagram to
/// whoever injects it.
final class WebPeers {
    private let serving: WebServing
    private let loop: any EventLoop
    private let tell: (ConnectionID, WebInput) -> Void
    private var peers: [ConnectionID: WebPeer] = [:]

    init(_ serving: WebServing, loop: any EventLoop, tell: @escaping (ConnectionID, WebInput) -> Void) {
        self.serving = serving
        self.loop = loop
        self.tell = tell
    }

    func perform(_ demand: WebOutput.PeerDemand, of id: ConnectionID) {
        switch demand {
        case .begin(let offer): begin(id, offer)
        case .candidate(let candidate): add(candidate, to: id)
        case .close:
            // Behind the last word, which comes by way of the loop.
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.execute { bound.value.close(id) }
        }
    }

    /// Sends a slice to all of these.
    func send(_ slice: EncodedSlice, to ids: [ConnectionID]) {
        let takers = ids.compactMap { peers[$0] }
        let sizes = takers.compactMap { peer in
            peer.handle.runOnLoop { engine, _ in peer.track.flatMap { engine.media?.largestPayload(on: $0) } }
        }
        guard let least = sizes.min() else { return }
        let packets = PacketizedSlice(slice, codec: .h264, largestPayload: least)
        for peer in takers {
            guard let track = peer.track else { continue }
            peer.handle.runOnLoop { engine, now in engine.send(packets, on: track, now: now) }
        }
        serving.port.flushOnLoop()
    }

    /// Sends a message to all of these, where they have the channel.
    func send(_ message: [UInt8], on channel: RemoteChannel, to ids: [ConnectionID]) {
        for id in ids {
            guard let peer = peers[id], let number = peer.channels[channel] else { continue }
            let isTaken = peer.handle.runOnLoop { engine, now in
                (try? engine.send(.text(message), on: number, now: now)) != nil
            }
            // A place of the pointer is soon out of date; whoever leaves all else lying reads nothing any more.
            if !isTaken, channel == .control { fail(id, "does not read what it is told") }
        }
    }

    /// Adds what only the peer connections know of the viewers that are browsers.
    func complete(_ statistics: inout SourceHost.Statistics) {
        for i in statistics.viewers.indices {
            guard let peer = peers[statistics.viewers[i].id] else { continue }
            peer.handle.runOnLoop { engine, _ in
                let all = engine.statistics
                statistics.viewers[i].bytesSent = all.bytesSent
                guard let sent = peer.track.flatMap({ engine.media?.outbound($0) }) else { return }
                statistics.viewers[i].packetsSent = sent.packets + sent.retransmittedPackets
                statistics.viewers[i].resent = sent.retransmittedPackets
                statistics.viewers[i].roundTrip = sent.roundTrip
                statistics.viewers[i].loss = sent.fractionLost
            }
        }
    }

    func closeAll() {
        for id in peers.keys { close(id) }
    }

    // MARK: One peer

    private func begin(_ id: ConnectionID, _ offer: String) {
        guard peers[id] == nil else { return }
        do {
            let handle = try serving.port.addOnLoop(
                { [serving] now in
                    PeerConnection(
                        serving.configuration, crypto: OpenSSLCrypto(), certificates: serving.certificates,
                        random: SecureGenerator(), now: now)
                }, onEvent: { [weak self] in self?.take($0, of: id) })
            peers[id] = WebPeer(handle: handle)
            let (answer, track) = try handle.runOnLoop { engine, now throws(PeerConnectionError) in
                try engine.takeOffer(offer, now: now)
                let track = try engine.addTrack(.video, stream: "screen", now: now)
                return (try engine.makeAnswer(now: now), track)
            }
            peers[id]?.track = track
            tell(id, .peerAnswer(sdp: answer))
            for candidate in peers[id]?.held ?? [] { tell(id, .peerCandidate(candidate)) }
            peers[id]?.held = nil
        } catch {
            close(id)
            tell(id, .peerRefused("\(error)"))
        }
    }

    private func add(_ candidate: TrickledCandidate?, to id: ConnectionID) {
        // A candidate that can't be read is one way less, no more.
        peers[id]?.handle.runOnLoop { engine, now in try? engine.addCandidate(candidate?.candidate, now: now) }
    }

    private func close(_ id: ConnectionID) {
        peers.removeValue(forKey: id)?.handle.closeOnLoop { engine, now in engine.close(now: now) }
    }

    private func fail(_ id: ConnectionID, _ reason: String) {
        guard peers[id] != nil else { return }
        close(id)
        tell(id, .peerClosed(reason: reason))
    }

    // MARK: What comes of it

    private func take(_ event: PeerConnectionEvent, of id: ConnectionID) {
        guard let peer = peers[id] else { return }
        switch event {
        case .candidate(let text):
            // All sections go one way: the first stands for it.
            let candidate = text.map { TrickledCandidate(candidate: $0, sdpMid: nil, sdpMLineIndex: 0) }
            if peer.held == nil { tell(id, .peerCandidate(candidate)) } else { peers[id]?.held?.append(candidate) }
        case .failed(let failure): peers[id]?.failure = failure.description
        case .state(.connected): tell(id, .peerConnected)
        case .state(.failed): fail(id, peer.failure ?? "no way to it is left")
        case .state(.closed): fail(id, peer.failure ?? "left")
        case .channelOpened(let number, let description, _):
            guard let channel = RemoteChannel(rawValue: description.label), peer.channels[channel] == nil else {
                return peer.handle.runOnLoop { engine, now in engine.closeChannel(number, now: now) }
            }
            peers[id]?.channels[channel] = number
            if channel == .control { tell(id, .peerControlOpen) }
        case .message(let number, let message):
            guard let channel = peer.channel(number) else { return }
            tell(id, .peerMessage(message.bytes, channel))
        case .channelClosed(let number):
            guard let channel = peer.channel(number) else { return }
            peers[id]?.channels[channel] = nil
            if channel == .control { fail(id, "left") }
        case .media(.keyframeNeeded): tell(id, .peerKeyframeNeeded)
        case .media(.estimatedBitrate(let bitrate)): tell(id, .peerEstimate(bitrate))
        case .media, .state, .negotiationNeeded, .negotiated, .bufferedAmountLow, .relayFailed: break
        }
    }
}
