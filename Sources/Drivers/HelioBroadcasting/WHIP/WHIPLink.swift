import HelioBroadcast
import HelioCore
import HelioGround
import HelioICE
import HelioMedia
import HelioOpenSSL
import HelioPeer
import HelioPeerPort
import HelioProtection
import HelioRTP
import HelioSDP
import HelioSTUN
import HelioTURN
import NIOCore

/// The peer connection of a WHIP sender's current session, and its HTTP requests. Lives on one event loop.
final class WHIPLink: SenderLink {
    typealias E = WHIPBroadcast

    /// The stream name of both tracks, as players synchronise the tracks of one stream.
    private static let stream = "broadcast"

    private let port: PeerPort
    private let tracks: BroadcastTracks
    private let options: WHIPOptions
    private let certificates: OpenSSLDTLS
    private let caller: HTTPCaller
    private let loop: any EventLoop
    var happened: (WHIPLinkEvent) -> Void = { _ in }

    /// The number of the current peer connection, by which events of earlier connections are recognised.
    private var generation = 0
    private var peer: PeerHandle?
    private var video: Transceiver.ID?
    private var sound: Transceiver.ID?

    /// Throws `systemFailed` if TLS can't be set up.
    init(
        _ address: WHIPAddress, _ tracks: BroadcastTracks, _ options: WHIPOptions, port: PeerPort,
        certificates: OpenSSLDTLS, on loop: any EventLoop
    ) throws(HelioError) {
        self.port = port
        self.tracks = tracks
        self.options = options
        self.certificates = certificates
        self.loop = loop
        caller = HTTPCaller(address, on: loop)
        if address.endpoint.isSecure { try caller.prepare() }
    }

    func perform(_ command: WHIPLinkCommand) {
        switch command {
        case .open(let servers): open(servers)
        case .offer: if let sdp = peer?.runOnLoop({ engine, _ in engine.localDescription }) { happened(.offer(sdp)) }
        case .request(let request): caller.send(request) { [weak self] in self?.happened(.exchange($0)) }
        case .cancel: caller.cancel()
        case .accept(let answer): accept(answer)
        case .picture(let slice, let captured):
            guard let video, let codec = tracks.video else { return }
            peer?.runOnLoop { engine, now in
                engine.send(slice, codec: codec, captured: captured, on: video, now: now)
            }
        case .sound(let bytes, let timestamp, let isFirst, let captured):
            guard let sound else { return }
            peer?.runOnLoop { engine, now in
                engine.send(
                    audio: bytes, timestamp: timestamp, marker: isFirst, captured: captured, on: sound, now: now)
            }
        case .look: look()
        case .measure: if let measured { happened(.measured(measured)) }
        case .close: close()
        }
    }

    func finish() -> EventLoopFuture<Void> {
        caller.cancel()
        let port = port
        return loop.makeFutureWithTask { await port.close() }
    }

    // MARK: - The peer connection

    private func open(_ servers: [WHIPServer]) {
        generation += 1
        let own = generation
        let configuration = configuration
        guard !servers.isEmpty,
            let list = try? ICEServerList(
                servers.map {
                    .init(
                        url: $0.url, username: $0.username,
                        password: String(decoding: $0.password.bytes, as: UTF8.self))
                })
        else { return begin(configuration) }
        let bound = NIOLoopBound(self, eventLoop: loop)
        let isGlobal = caller.server?.isGlobal ?? true
        loop.makeFutureWithTask {
            var full = configuration
            _ = await list.add(to: &full)
            // A server on the Internet must not direct this machine to servers in its local networks.
            full.stunServers.removeAll { isGlobal && !$0.ip.isGlobal }
            full.turnServers.removeAll { isGlobal && !$0.address.ip.isGlobal }
            return full
        }.whenSuccess { if bound.value.generation == own { bound.value.begin($0) } }
    }

    private var configuration: PeerConnectionConfiguration {
        var configuration = PeerConnectionConfiguration()
        configuration.codecs = codecs
        configuration.receivesMedia = false
        configuration.takesDataChannels = false
        configuration.mostBitrate = options.mostBitrate
        configuration.startBitrate = options.startBitrate
        configuration.clockOffset = WallClock.sinceNTPEpoch(at: MonotonicClock.now)
        let silence = options.silence
        configuration.adjustICE = { $0.disconnectedAfter = silence }
        return configuration
    }

    private var codecs: [RTPCodec] {
        var codecs: [RTPCodec] = []
        switch tracks.video {
        case .h264: codecs += RTPCodec.standard.filter { $0.kind == .video && !Self.isHigh444($0) }
        case .h265: codecs.append(Self.h265)
        case nil: break
        }
        if tracks.sound != nil { codecs.append(.opus) }
        return codecs
    }

    /// True for H.264 in 4:4:4, which is never broadcast.
    private static func isHigh444(_ codec: RTPCodec) -> Bool {
        codec.parameters.contains { $0.name == "profile-level-id" && $0.value?.hasPrefix("f4") == true }
    }

    /// H.265 as browsers support it: Main profile up to level 5.1, in a single RTP stream (RFC 7798 section 7.1).
    private static let h265 = {
        var codec = RTPCodec.standard[0]
        codec.encoding = "H265"
        codec.parameters = [
            .init("level-id", "153"), .init("profile-id", "1"), .init("tier-flag", "0"), .init("tx-mode", "SRST"),
        ]
        return codec
    }()

    private func begin(_ configuration: PeerConnectionConfiguration) {
        let own = generation
        (video, sound) = (nil, nil)
        do {
            let certificates = certificates
            let peer = try port.addOnLoop(
                { now in
                    PeerEngine(
                        configuration, crypto: OpenSSLCrypto(), certificates: certificates, random: SecureGenerator(),
                        now: now)
                },
                onEvent: { [weak self] event in
                    guard let self, self.generation == own else { return }
                    self.take(event)
                })
            self.peer = peer
            try peer.runOnLoop { engine, now in
                if tracks.video != nil { video = try engine.addTrack(.video, stream: Self.stream, now: now) }
                if tracks.sound != nil { sound = try engine.addTrack(.audio, stream: Self.stream, now: now) }
                _ = try engine.makeOffer(now: now)
            }
        } catch {
            return happened(.lost(.notSetUp("\(error)")))
        }
        happened(.opened)
        reportIfGathered()
    }

    private func reportIfGathered() {
        if peer?.runOnLoop({ engine, _ in engine.isGatheringComplete }) == true { happened(.gathered) }
    }

    private func accept(_ answer: WHIPAnswer) {
        guard let peer else { return }
        var agreement = WHIPAgreement(hasVideo: false, hasSound: false)
        do {
            try peer.runOnLoop { engine, now in
                try engine.takeAnswer(answer.description(from: caller.server), now: now)
                let agreed = video.flatMap { engine.agreement?.media($0) }
                if let codec = tracks.video, let agreed, agreed.direction.sends {
                    agreement.hasVideo = agreed.codecs.contains { $0.is(codec) }
                }
                if let terms = agreed?.codecs.first?.h264 {
                    agreement.profile = H264ProfileLevel(terms.profile, terms.sendLevel).text
                }
                agreement.hasSound = sound.flatMap { engine.agreement?.media($0) }?.direction.sends == true
            }
        } catch {
            return happened(.unusable("\(error)"))
        }
        happened(.agreed(agreement))
    }

    private func take(_ event: PeerConnectionEvent) {
        switch event {
        case .candidate(nil): reportIfGathered()
        case .state(.connected): happened(.connected)
        case .state(.disconnected): happened(.lost(.silent))
        case .state(.closed): happened(.lost(.ended))
        case .failed(let why):
            switch why {
            case .noPath: happened(.lost(.noPath))
            case .noCommonSRTPProfile: happened(.lost(.noCommonProtection))
            case .handshake, .noProtection: happened(.lost(.notEncrypted("\(why)")))
            }
        case .media(.keyframeNeeded): happened(.keyframeNeeded)
        default: break
        }
    }

    private func close() {
        generation += 1
        let peer = peer
        self.peer = nil
        peer?.closeOnLoop { engine, now in engine.close(now: now) }
    }

    // MARK: - Measurements

    private func look() {
        var (queued, stale) = (Duration.zero, Duration.zero)
        if let video {
            peer?.runOnLoop { engine, _ in
                guard let media = engine.media else { return }
                (queued, stale) = (media.queueDelay(on: video), media.staleDelay(on: video))
            }
        }
        happened(.backlog(queued: queued, stale: stale))
    }

    private var measured: WHIPMeasurement? {
        peer?.runOnLoop { engine, _ in
            let outbound = video.flatMap { engine.media?.outbound($0) }
            var statistics = WHIPStatistics()
            if let video, let media = engine.media { statistics.pacing = media.queueDelay(on: video) }
            statistics.estimate = engine.media?.estimatedBitrate
            statistics.path = engine.path.map {
                "\($0.localKind.rawValue) \($0.base) -> \($0.remoteKind.rawValue) \($0.remote)"
            }
            if let outbound {
                statistics.keyframeRequests = outbound.pictureLossIndications + outbound.fullIntraRequests
                statistics.packets = outbound.packets
                statistics.retransmittedPackets = outbound.retransmittedPackets
                statistics.fractionLost = outbound.fractionLost
                statistics.droppedPictures = outbound.droppedFrames
            }
            return WHIPMeasurement(
                media: BroadcastMeasurement(
                    roundTrip: outbound?.roundTrip ?? engine.roundTrip, sentBytes: Int64(engine.statistics.bytesSent)),
                statistics: statistics)
        }
    }
}

extension NegotiatedCodec {
    fileprivate func `is`(_ video: VideoCodec) -> Bool {
        codec.encoding.lowercased() == (video == .h264 ? "h264" : "h265")
    }
}
