import HelioBroadcast
import HelioCore
import HelioICE
import HelioLoop
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

/// One session at a WHIP server, from the offer to the end: a peer connection, and its exchange by HTTP. Lives on one
/// event loop.
final class WHIPSession {
    enum Event {
        /// Media may be sent.
        case connected
        case keyframeNeeded
        /// The STUN and TURN servers that the answer named, for the next session.
        case servers([WHIPServer])
        /// The session is over; the last event.
        case over(BroadcastFailure)
    }

    /// The longest delay by the queue of the peer connection, which would drop packets that wait longer; further units
    /// wait in the broadcast's queue.
    private static let mostWaiting = Duration.milliseconds(100)
    private static let drainStep = TimeAmount.milliseconds(10)
    /// How long queued packets may take to leave at the end.
    private static let drainTime = Duration.milliseconds(700)
    /// How long, after that, retransmissions are answered.
    private static let repairTime = Duration.milliseconds(150)
    /// The stream of both tracks: players play tracks of one stream in step.
    private static let stream = "broadcast"

    private let port: PeerPort
    private let tracks: BroadcastTracks
    private let options: WHIPOptions
    private let certificates: OpenSSLDTLS
    private let caller: HTTPCaller
    private let loop: any EventLoop
    private let happened: (Event) -> Void

    private var exchange: EngineLoop<WHIPExchange>!
    private var peer: PeerHandle?
    private var video: Transceiver.ID?
    private var sound: Transceiver.ID?
    private var profile: String?
    private var hasOffered = false
    private var isConnected = false
    private var isLeaving = false
    private var isOver = false
    private var failure: BroadcastFailure?
    private var nextFrame: UInt64 = 0
    private var hasSentSound = false
    /// The instant at which the media's time was zero.
    private var origin: Instant?

    init(
        _ address: WHIPAddress, token: StreamSecret?, _ tracks: BroadcastTracks, _ options: WHIPOptions,
        port: PeerPort, certificates: OpenSSLDTLS, caller: HTTPCaller, on loop: any EventLoop,
        happened: @escaping (Event) -> Void
    ) {
        self.port = port
        self.tracks = tracks
        self.options = options
        self.certificates = certificates
        self.caller = caller
        self.loop = loop
        self.happened = happened
        exchange = EngineLoop(
            WHIPExchange(address, token: token, options.exchange), on: loop,
            perform: { [weak self] in self?.perform($0) }, settled: {})
    }

    // MARK: - The offer

    /// Begins the session: makes the peer connection, and sends its offer.
    ///
    /// - Parameter servers: the STUN and TURN servers that an earlier answer named.
    func start(_ servers: [WHIPServer]) {
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
            // A server on the Internet must not name servers in this machine's networks.
            full.stunServers.removeAll { isGlobal && !$0.ip.isGlobal }
            full.turnServers.removeAll { isGlobal && !$0.address.ip.isGlobal }
            return full
        }.whenSuccess { bound.value.begin($0) }
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

    /// H.265 as browsers support it: Main, up to level 5.1, all of it in one stream (RFC 7798 section 7.1).
    private static let h265 = {
        var codec = RTPCodec.standard[0]
        codec.encoding = "H265"
        codec.parameters = [
            .init("level-id", "153"), .init("profile-id", "1"), .init("tier-flag", "0"), .init("tx-mode", "SRST"),
        ]
        return codec
    }()

    private func begin(_ configuration: PeerConnectionConfiguration) {
        guard !isOver, !isLeaving else { return finish() }
        do {
            let certificates = certificates
            let peer = try port.addOnLoop(
                { now in
                    PeerEngine(
                        configuration, crypto: OpenSSLCrypto(), certificates: certificates, random: SecureGenerator(),
                        now: now)
                }, onEvent: { [weak self] in self?.take($0) })
            self.peer = peer
            try peer.runOnLoop { engine, now in
                if tracks.video != nil { video = try engine.addTrack(.video, stream: Self.stream, now: now) }
                if tracks.sound != nil { sound = try engine.addTrack(.audio, stream: Self.stream, now: now) }
                _ = try engine.makeOffer(now: now)
            }
        } catch {
            return fail(BroadcastFailure(.failed, "This end of the WHIP connection can't be set up: \(error)."))
        }
        offerIfGathered()
        let bound = NIOLoopBound(self, eventLoop: loop)
        loop.scheduleTask(in: .nanoseconds(options.gatheringTime.nanoseconds)) { bound.value.offer() }
    }

    private func offerIfGathered() {
        if peer?.runOnLoop({ engine, _ in engine.isGatheringComplete }) == true { offer() }
    }

    private func offer() {
        guard !hasOffered, !isOver, failure == nil,
            let sdp = peer?.runOnLoop({ engine, _ in engine.localDescription })
        else { return }
        hasOffered = true
        exchange.feed(.offer(sdp))
    }

    private func perform(_ output: WHIPExchange.Output) {
        switch output {
        case .send(let request):
            caller.send(request) { [weak self] in self?.exchange.feed($0) }
        case .cancel: caller.cancel()
        case .answered(let answer): take(answer)
        case .failed(let failure):
            self.failure = self.failure ?? failure
            finish()
        case .ended: finish()
        }
    }

    private func take(_ answer: WHIPAnswer) {
        if !answer.servers.isEmpty { happened(.servers(answer.servers)) }
        guard let peer else { return }
        do {
            try peer.runOnLoop { engine, now in
                try engine.takeAnswer(answer.description(from: caller.server), now: now)
                let agreed = video.flatMap { engine.agreement?.media($0) }
                if let video = tracks.video,
                    agreed?.direction.sends != true || agreed?.codecs.contains(where: { $0.is(video) }) != true
                {
                    throw Refusal.withoutVideo
                }
                if let terms = agreed?.codecs.first?.h264 {
                    profile = H264ProfileLevel(terms.profile, terms.sendLevel).text
                }
                guard let sound, engine.agreement?.media(sound)?.direction.sends != true else { return }
                self.sound = nil
                if tracks.video == nil { throw Refusal.withoutSound }
            }
        } catch {
            let why = (error as? Refusal)?.rawValue ?? "Its answer can't be used: \(error)."
            fail(BroadcastFailure(.incompatible, "The WHIP server does not take the stream. \(why)"))
        }
    }

    private enum Refusal: String, Error {
        case withoutVideo = "It has no codec in common with the picture."
        case withoutSound = "It does not take Opus."
    }

    // MARK: - The connection

    private func take(_ event: PeerConnectionEvent) {
        switch event {
        case .candidate(nil): offerIfGathered()
        case .state(.connected):
            guard !isConnected, failure == nil else { return }
            isConnected = true
            happened(.connected)
        case .state(.disconnected):
            fail(BroadcastFailure(.lost, "The WHIP server has not been heard of for too long."))
        case .state(.closed): fail(BroadcastFailure(.lost, "The WHIP server has ended the connection."))
        case .failed(let why):
            switch why {
            case .noPath where !isConnected:
                fail(BroadcastFailure(.unreachable, "The WHIP server answers, but no way to its media works."))
            case .noPath: fail(BroadcastFailure(.lost, "No way to the WHIP server works any more."))
            case .noCommonSRTPProfile:
                fail(BroadcastFailure(.incompatible, "The WHIP server has no encryption of media in common with us."))
            case .handshake, .noProtection:
                fail(BroadcastFailure(.failed, "The WHIP connection can't be encrypted: \(why)."))
            }
        case .media(.keyframeNeeded): happened(.keyframeNeeded)
        default: break
        }
    }

    /// Ends the session for this reason, and notifies the server.
    private func fail(_ failure: BroadcastFailure) {
        guard self.failure == nil, !isOver else { return }
        self.failure = failure
        closePeer()
        exchange.feed(.end)
    }

    /// Ends the session.
    ///
    /// - Parameter draining: true to send queued packets first, and to answer requests for lost ones.
    func leave(draining: Bool) {
        guard !isLeaving, !isOver else { return }
        isLeaving = true
        guard draining, isConnected, failure == nil else { return goodbye() }
        drain(until: MonotonicClock.now + Self.drainTime)
    }

    private func drain(until: Instant) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        guard waiting(\.queueDelay) > .zero, MonotonicClock.now < until else {
            loop.scheduleTask(in: .nanoseconds(Self.repairTime.nanoseconds)) { bound.value.goodbye() }
            return
        }
        loop.scheduleTask(in: Self.drainStep) { bound.value.drain(until: until) }
    }

    private func goodbye() {
        guard !isOver else { return }
        closePeer()
        exchange.feed(.end)
    }

    private func closePeer() {
        let peer = peer
        self.peer = nil
        peer?.closeOnLoop { engine, now in engine.close(now: now) }
    }

    private func finish() {
        guard !isOver else { return }
        isOver = true
        closePeer()
        exchange.stop()
        happened(.over(failure ?? BroadcastFailure(.lost, "The connection to the WHIP server is over.")))
    }

    // MARK: - Media

    private struct Backlog {
        var queueDelay: Duration
        var staleDelay: Duration
    }

    private func waiting(_ what: KeyPath<Backlog, Duration>) -> Duration {
        guard let video else { return .zero }
        let backlog = peer?.runOnLoop { engine, _ in
            engine.media.map { Backlog(queueDelay: $0.queueDelay(on: video), staleDelay: $0.staleDelay(on: video)) }
        }
        return (backlog ?? nil)?[keyPath: what] ?? .zero
    }

    /// True where media may be sent, once there is room.
    var isLive: Bool { isConnected && !isLeaving && failure == nil }
    /// True where there is room for a unit.
    var hasRoom: Bool { isLive && waiting(\.staleDelay) <= Self.mostWaiting }

    /// Sends a unit; returns false if the server does not accept units of its kind.
    func send(_ unit: BroadcastUnit) -> Bool {
        guard let peer else { return true }
        return peer.runOnLoop { engine, now in
            let zero = origin ?? (now - unit.time)
            origin = zero
            switch unit.kind {
            case .sound:
                guard let sound else { return false }
                // RTP timestamps of Opus always count 48,000 a second (RFC 7587 section 4.1).
                let ticks =
                    unit.time.nanoseconds / 1_000_000_000 * 48000
                    + unit.time.nanoseconds % 1_000_000_000 * 48000 / 1_000_000_000
                engine.send(
                    audio: unit.bytes, timestamp: UInt32(truncatingIfNeeded: ticks), marker: !hasSentSound,
                    captured: zero + unit.time, on: sound, now: now)
                hasSentSound = true
            case .keyframe, .picture:
                guard let video, let codec = tracks.video else { return false }
                let taken = Instant.zero + unit.time
                let slice = EncodedSlice(
                    frameIndex: nextFrame, annexB: unit.bytes, isFirst: true, isLast: true,
                    isKeyframe: unit.kind == .keyframe, timing: FrameTiming(damaged: taken, captured: taken))
                nextFrame += 1
                engine.send(slice, codec: codec, captured: zero + unit.time, on: video, now: now)
            }
            return true
        }
    }

    // MARK: - Statistics

    var measurement: BroadcastMeasurement? {
        peer?.runOnLoop { engine, _ in
            BroadcastMeasurement(
                roundTrip: video.flatMap { engine.media?.outbound($0)?.roundTrip } ?? engine.roundTrip,
                sentBytes: Int64(engine.statistics.bytesSent))
        }
    }

    var statistics: WHIPStatistics {
        var statistics = WHIPStatistics()
        statistics.profile = profile
        statistics.hasSound = sound != nil && isConnected
        statistics.pacing = waiting(\.queueDelay)
        peer?.runOnLoop { engine, _ in
            statistics.estimate = engine.media?.estimatedBitrate
            statistics.path = engine.path.map {
                "\($0.localKind.rawValue) \($0.base) -> \($0.remoteKind.rawValue) \($0.remote)"
            }
            guard let counted = video.flatMap({ engine.media?.outbound($0) }) else { return }
            statistics.keyframeRequests = counted.pictureLossIndications + counted.fullIntraRequests
            statistics.packets = counted.packets
            statistics.retransmittedPackets = counted.retransmittedPackets
            statistics.fractionLost = counted.fractionLost
            statistics.droppedPictures = counted.droppedFrames
        }
        return statistics
    }
}

extension NegotiatedCodec {
    fileprivate func `is`(_ video: VideoCodec) -> Bool {
        codec.encoding.lowercased() == (video == .h264 ? "h264" : "h265")
    }
}
