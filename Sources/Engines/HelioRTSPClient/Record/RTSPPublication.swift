internal import HelioAdmission
package import HelioCore
package import HelioProtection
internal import HelioRTP
internal import HelioRTSP
internal import HelioSDP
internal import HelioSession

/// Pushes the one encoded stream to another program's RTSP server (RFC 2326's ANNOUNCE and RECORD), as one engine.
///
///     waiting --.connect--> connecting --OPTIONS--> asking --> coding --ANNOUNCE--> announcing --.openPorts-->
///        ^                                          first keyframe                             openingPorts
///        |                                                                                          |
///        |      server gone, busy, silent                          recording <--RECORD-- settingUp, UDP
///        \----------------------------------------- from anywhere                        461: SETUP, TCP
///
/// A 401 is answered by digest, wherever it comes. A server that is lost is tried again by itself for as long as there
/// is sharing; one that refuses for good is not. Who watches there comes and goes unseen, so a keyframe goes out every
/// few seconds.
package final class RTSPPublication: Engine {
    private enum State: Equatable {
        case waiting
        case connecting
        case asking
        /// The server is there; the keyframe that tells what to announce is not.
        case coding
        case announcing
        case openingPorts
        case settingUp
        case starting
        case recording
        case ended
    }

    /// From connecting to OPTIONS' answer, and from ANNOUNCE to RECORD's.
    private static let startTime = Duration.seconds(10)
    /// Who begins to watch at the server sees nothing before a keyframe.
    static let keyframeInterval = Duration.seconds(4)
    /// However long the server's session lasts: its silence is to be noticed.
    private static let longestKeepAlive = Duration.seconds(15)

    private let settings: Settings
    private let crypto: any CryptoProvider
    private var random: any RandomNumberGenerator & Sendable

    private var state = State.waiting
    private var retryAt: Instant
    private var retry = PublicationRetry()
    private var startBy: Instant
    private var outputs = OutputQueue<Output>()
    private var drops = DropCounter<Drop>()
    private var totals = Statistics()

    // Of the one connection.
    private var parser = RTSPParser()
    private var dialogue: ServerDialogue
    private var hasAnswered = false
    private var hasGetParameter = false
    private var ports: (rtp: UInt16, rtcp: UInt16)?
    /// UDP was refused, there is none, it is not wanted, or it would not be protected.
    private var isInterleavedOnly: Bool
    private var transport: PlaybackTransport?
    private var media: PlayerMedia?
    /// Bytes on the connection that the system has not taken yet. A server that takes nothing is given up.
    private var unsent = UnsentBytes(most: 4 << 20, patience: .seconds(20))
    private var nextKeepAlive: Instant?
    private var answersKeepAlive = false
    private var missedKeepAlives = 0
    private var recordingSince: Instant?

    // Of the stream.
    private var format: VideoFormat
    private var sets: ParameterSets?
    private var demand: PictureDemand
    private var isWatched = false
    private var lastKeyframe: Instant
    private var isKeyframeDue = false

    /// What was said last of a server that does not take the stream.
    private var toldReason: String?

    package init(
        _ settings: Settings, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable, now: Instant
    ) {
        self.settings = settings
        self.crypto = crypto
        self.random = random
        format = settings.format
        retryAt = now
        startBy = now
        lastKeyframe = now
        demand = PictureDemand(now: now)
        dialogue = Self.makeDialogue(settings, crypto)
        isInterleavedOnly = settings.isInterleavedOnly || settings.address.isSecure
    }

    private static func makeDialogue(_ settings: Settings, _ crypto: any CryptoProvider) -> ServerDialogue {
        ServerDialogue(
            PlaybackAuthentication(
                settings.address.credentials,
                howToGive: "give --publish-credentials FILE, with NAME:PASSWORD in it", crypto: crypto))
    }

    package func poll() -> Output? { outputs.next() }

    // MARK: Inputs

    package func handle(_ input: consuming Input, now: Instant) {
        guard state != .ended else { return }
        switch input {
        case .connected:
            guard state == .connecting else { break }
            state = .asking
            request(.options, settings.address.uri, now: now)
        case .disconnected:
            guard state != .waiting else { break }
            lose(
                state == .connecting
                    ? "The server can't be reached: is it running there, and is the port open?"
                    : "The server closed the connection.", now: now)
        case .refused(let error): fail(error, now: now)
        case .received(let bytes): receive(bytes, now)
        case .written(let count):
            unsent.taken(count, now: now)
        case .portsOpen(let rtp, let rtcp):
            guard state == .openingPorts else { break }
            ports = (rtp, rtcp)
            setUp(now)
        case .portsFailed:
            guard state == .openingPorts else { break }
            isInterleavedOnly = true
            setUp(now)
        case .datagram(let bytes, let channel):
            guard case .udp? = transport, channel == .rtcp else {
                drops.count(.foreignChannel)
                break
            }
            hear(bytes, now)
        case .slice(let slice): take(slice, now)
        case .format(let new): change(new, now)
        }
        pass(now)
        demandPictures(now)
    }

    package func tick(now: Instant) {
        switch state {
        case .ended, .coding: break
        case .waiting:
            if now >= retryAt { connect(now) }
        case .recording:
            keepAlive(now)
            if now - lastKeyframe >= Self.keyframeInterval { isKeyframeDue = true }
            media?.tick(now: now)
            if unsent.isStuck(now: now) { lose("The server takes nothing any more.", now: now) }
        default:
            if now >= startBy {
                lose("The server did not answer in \(Self.startTime.components.seconds) s.", now: now)
            }
        }
        pass(now)
        demandPictures(now)
    }

    package var deadline: Deadline? {
        switch state {
        case .ended: return nil
        case .waiting: return Deadline(at: retryAt, why: "the server is tried again")
        case .coding: return demand.deadline(wantsKeyframe: true, isShown: false)
        case .recording:
            let keepAlive = nextKeepAlive.map { Deadline(at: $0, why: "keep-alive") }
            let keyframe =
                isKeyframeDue
                ? nil : Deadline(at: lastKeyframe + Self.keyframeInterval, why: "a keyframe for who comes")
            return .earliest(
                .earliest(.earliest(keepAlive, unsent.deadline), .earliest(keyframe, media?.deadline)),
                demand.deadline(wantsKeyframe: wantsKeyframe, isShown: true))
        default: return Deadline(at: startBy, why: "the server must answer")
        }
    }

    /// Leaves in good order: says good-bye, tells the server.
    package func leave(now: Instant) {
        guard state != .ended else { return }
        disconnect(.ended, now: now)
        demandPictures(now)
    }

    // MARK: The connection

    private func connect(_ now: Instant) {
        state = .connecting
        startBy = now + Self.startTime
        parser = RTSPParser()
        dialogue = Self.makeDialogue(settings, crypto)
        hasAnswered = false
        hasGetParameter = false
        answersKeepAlive = false
        missedKeepAlives = 0
        nextKeepAlive = nil
        unsent.clear()
        isInterleavedOnly = settings.isInterleavedOnly || settings.address.isSecure
        outputs.append(.connect)
    }

    private func request(
        _ method: RTSPMethod, _ uri: String, headers: RTSPHeaders = [:], body: [UInt8] = [], now: Instant
    ) {
        do {
            send(try dialogue.request(method, uri, headers: headers, body: body), now: now)
        } catch {
            fail(error, now: now)
        }
    }

    private func send(_ bytes: [UInt8], now: Instant) {
        unsent.write(bytes.count, now: now)
        outputs.append(.send(bytes))
    }

    private func receive(_ bytes: [UInt8], _ now: Instant) {
        guard state != .waiting, state != .connecting else { return }
        parser.append(bytes)
        do {
            while state != .waiting, state != .ended, let message = try parser.next() {
                switch message {
                case .response(let response): hear(response, now)
                case .request(let request): answer(request, now)
                case .interleaved(let channel, let packet):
                    guard case .interleaved(_, channel)? = transport else {
                        drops.count(.foreignChannel)
                        continue
                    }
                    hear(packet, now)
                }
            }
        } catch {
            refuse(.init(.protocolViolation, "The server does not speak RTSP 1.0 as it should: \(error)."), now: now)
        }
    }

    /// The server's own requests: it may ask whether we are there, and end the session (RFC 2326 section 10).
    private func answer(_ request: RTSPRequest, _ now: Instant) {
        if request.method == .teardown { return lose("The server has ended the session.", now: now) }
        if request.method.rawValue == "REDIRECT" {
            return fail(PlaybackRefusal.moved(request.headers), now: now)
        }
        let isKnown = [.options, .getParameter, .setParameter].contains(request.method)
        let headers: RTSPHeaders = request.headers["CSeq"].map { ["CSeq": $0] } ?? [:]
        send(RTSPResponse(isKnown ? .ok : .notImplemented, headers: headers).serialised(), now: now)
        if unsent.isTooMuch { lose("The server reads no answers.", now: now) }
    }

    /// RTCP of the server's.
    private func hear(_ bytes: [UInt8], _ now: Instant) {
        guard let media, state == .recording else { return drops.count(.foreignChannel) }
        guard RTCPPacket.isRTCP(bytes.span.bytes), let packets = RTCPPacket.parseCompound(bytes.span.bytes) else {
            return media.countMalformedReports()
        }
        if !media.hear(packets, now: now) { drops.count(.foreignReports) }
    }

    // MARK: Responses

    private func hear(_ response: RTSPResponse, _ now: Instant) {
        hasAnswered = true
        do {
            switch try dialogue.hear(response, using: &random) {
            case .answer: break
            case .again(let bytes): return send(bytes, now: now)
            case .stray: return drops.count(.strayResponse)
            case .provisional: return
            }
        } catch {
            return fail(error, now: now)
        }
        switch state {
        case .asking: asked(response, now)
        case .announcing: announced(response, now)
        case .settingUp: setUpDone(response, now)
        case .starting: started(response, now)
        case .recording:
            answersKeepAlive = true
            missedKeepAlives = 0
            if response.status == .sessionNotFound { lose("The server has forgotten the session.", now: now) }
        case .waiting, .connecting, .coding, .openingPorts, .ended: drops.count(.strayResponse)
        }
    }

    /// Whatever the status: some servers know no OPTIONS.
    private func asked(_ response: RTSPResponse, _ now: Instant) {
        let methods = response.headers["Public"]?.split(separator: ",") ?? []
        hasGetParameter = methods.contains { $0.filter { $0 != " " } == RTSPMethod.getParameter.rawValue }
        state = .coding
        announce(now)
    }

    /// Once the parameter sets are known.
    private func announce(_ now: Instant) {
        guard state == .coding, let sets else { return }
        state = .announcing
        startBy = now + Self.startTime
        let type = PlayerDescription.payloadType
        let description = PlayerDescription.make(
            format, sets, id: UInt64.random(in: 1...1 << 62, using: &random),
            feedback: [RTCPFeedback(type, "nack", "pli"), RTCPFeedback(type, "ccm", "fir")])
        request(
            .announce, settings.address.uri, headers: ["Content-Type": "application/sdp"], body: description, now: now)
    }

    private func announced(_ response: RTSPResponse, _ now: Instant) {
        guard response.status.isSuccess else {
            return refuse(PublicationRefusal(response, "to announce the stream"), now: now)
        }
        // A few begin the session here.
        dialogue.session = response.headers["Session"].flatMap(RTSPSessionHeader.init(foreign:))
        if isInterleavedOnly { return setUp(now) }
        state = .openingPorts
        outputs.append(.openPorts)
    }

    private func setUp(_ now: Instant) {
        state = .settingUp
        let wanted = PlaybackTransport.request(clientPorts: isInterleavedOnly ? nil : ports, for: .record)
        let uri = ForeignDescription.join(settings.address.uri, PlayerDescription.trackName)
        request(.setup, uri, headers: ["Transport": wanted], now: now)
    }

    private func setUpDone(_ response: RTSPResponse, _ now: Instant) {
        if response.status == .unsupportedTransport {
            guard !isInterleavedOnly else {
                return refuse(
                    .init(
                        .unsupported,
                        settings.isInterleavedOnly && !settings.address.isSecure
                            ? "The server takes no RTP over TCP (461): leave --publish-tcp out."
                            : "The server takes RTP neither over UDP nor over TCP (461)."), now: now)
            }
            isInterleavedOnly = true
            return setUp(now)
        }
        guard response.status.isSuccess else {
            return refuse(PublicationRefusal(response, "to set the stream up"), now: now)
        }
        guard let answer = response.headers["Transport"].flatMap(PlaybackTransport.init(answer:)),
            let session = response.headers["Session"].flatMap(RTSPSessionHeader.init(foreign:)) ?? dialogue.session
        else {
            return refuse(
                .init(.protocolViolation, "The server's answer to SETUP lacks a session, or ports or channels."),
                now: now)
        }
        let plain: PlainTransport
        switch answer {
        case .udp(let rtp, let rtcp):
            guard !isInterleavedOnly else {
                return refuse(
                    .init(.protocolViolation, "The server answers with UDP where it was asked for TCP."), now: now)
            }
            plain = .datagrams(media: rtp, reports: rtcp)
            outputs.append(.aim(rtp: rtp, rtcp: rtcp))
        case .interleaved(let rtp, let rtcp): plain = .interleaved(media: rtp, reports: rtcp)
        }
        transport = answer
        dialogue.session = session
        let ssrc = SSRC(UInt32.random(in: 1 ... .max, using: &random))
        media = PlayerMedia(plain, format: format, ssrc: ssrc, clockOffset: settings.clockOffset)
        state = .starting
        request(.record, settings.address.uri, headers: ["Range": "npt=0.000-"], now: now)
    }

    private func started(_ response: RTSPResponse, _ now: Instant) {
        guard response.status.isSuccess else {
            return refuse(PublicationRefusal(response, "to take the stream"), now: now)
        }
        state = .recording
        recordingSince = now
        toldReason = nil
        totals.sessions += 1
        nextKeepAlive = now + keepAliveInterval
        lastKeyframe = now
        isKeyframeDue = false
        media?.play(now: now)
        media?.tick(now: now)
        var isInterleaved = false
        if case .interleaved? = transport { isInterleaved = true }
        outputs.append(.event(.published(isInterleaved: isInterleaved)))
    }

    // MARK: Keeping it

    /// Half of the time after which the server would forget us (RFC 2326 section 12.37), or less.
    private var keepAliveInterval: Duration {
        min(.seconds(min(max(dialogue.session?.timeout ?? 60, 2), 3600)) / 2, Self.longestKeepAlive)
    }

    private func keepAlive(_ now: Instant) {
        guard let due = nextKeepAlive, now >= due else { return }
        if dialogue.isWaiting {
            missedKeepAlives += 1
            // Some servers answer to nobody who sends: only one that did is missed.
            if answersKeepAlive, missedKeepAlives >= 2 { return lose("The server no longer answers.", now: now) }
        }
        nextKeepAlive = now + keepAliveInterval
        // Some servers answer GET_PARAMETER to nobody, whatever they say.
        request(hasGetParameter && missedKeepAlives == 0 ? .getParameter : .options, settings.address.uri, now: now)
    }

    // MARK: The stream

    private func take(_ slice: EncodedSlice, _ now: Instant) {
        demand.heard(slice, now: now)
        if slice.isFirst, slice.isKeyframe {
            lastKeyframe = now
            isKeyframeDue = false
            if let new = ParameterSets(annexB: slice.annexB, codec: format.codec) {
                sets = new
                announce(now)
            }
        }
        if state == .recording { media?.send(slice, unsent: unsent.count, now: now) }
    }

    private func change(_ new: VideoFormat, _ now: Instant) {
        let old = format
        format = new
        // New parameter sets come with the next keyframe.
        if new.size != old.size || new.chroma != old.chroma || new.codec != old.codec { sets = nil }
        // In RTSP 1.0 nothing can tell the server of another codec: it is announced anew.
        guard new.codec != old.codec, [.announcing, .openingPorts, .settingUp, .starting, .recording].contains(state)
        else { return }
        lose("The codec has changed.", hurries: true, now: now)
    }

    private var wantsKeyframe: Bool {
        switch state {
        case .coding: true
        case .recording: isKeyframeDue || media?.wantsKeyframe(unsent: unsent.count) ?? false
        default: false
        }
    }

    /// Tells whether the stream is needed, and what the encoder should give.
    private func demandPictures(_ now: Instant) {
        let isNeeded = [.coding, .announcing, .openingPorts, .settingUp, .starting, .recording].contains(state)
        if isNeeded != isWatched {
            isWatched = isNeeded
            demand.begin(now: now)
            outputs.append(.event(.watched(isNeeded)))
        }
        if wantsKeyframe, demand.takesKeyframeDemand(now: now) {
            outputs.append(.event(.keyframeNeeded(reason: "the server that is published to needs one")))
        }
        if state == .recording, demand.takesFrameDemand(now: now) { outputs.append(.event(.frameNeeded)) }
    }

    private func pass(_ now: Instant) {
        while let packet = media?.nextPacket() {
            switch (packet, transport) {
            case (.media(let bytes), .udp?): outputs.append(.datagram(bytes, .rtp))
            case (.reports(let bytes), .udp?): outputs.append(.datagram(bytes, .rtcp))
            case (.media(let bytes), .interleaved(let channel, _)?),
                (.reports(let bytes), .interleaved(_, let channel)?):
                send(RTSPMessage.interleaved(channel: channel, bytes).serialised(), now: now)
            case (_, nil): break
            }
        }
    }

    // MARK: Endings

    /// The server refuses: for good, unless it may pass or it has taken the stream before.
    private func refuse(_ refusal: PublicationRefusal, now: Instant) {
        guard refusal.passes || totals.sessions > 0 else { return fail(refusal.error, now: now) }
        lose(refusal.error.message, wish: refusal.retryAfter, now: now)
    }

    /// Not tried again: it would be the same.
    private func fail(_ error: HelioError, now: Instant) {
        guard state != .ended else { return }
        disconnect(.ended, now: now)
        outputs.append(.event(.failed(error)))
    }

    private func lose(_ reason: String, wish: Duration? = nil, hurries: Bool = false, now: Instant) {
        guard state != .ended, state != .waiting else { return }
        let published = recordingSince.map { now - $0 }
        disconnect(.waiting, now: now)
        retryAt =
            hurries
            ? now + ReconnectPlan.pause
            : retry.failed(hasAnswered: hasAnswered, published: published, wish: wish, now: now)
        if published != nil {
            outputs.append(.event(.lost(reason: reason)))
        } else if reason != toldReason {
            outputs.append(.event(.waiting(reason: reason)))
        }
        toldReason = reason
    }

    private func disconnect(_ next: State, now: Instant) {
        if state == .recording {
            media?.sayGoodbye(now: now)
            pass(now)
        }
        let isConnected = state != .waiting && state != .connecting
        state = next
        if isConnected, dialogue.session != nil,
            let bytes = try? dialogue.request(.teardown, settings.address.uri)
        {
            send(bytes, now: now)
        }
        dialogue.forget()
        if let media { totals.add(media) }
        media = nil
        transport = nil
        ports = nil
        recordingSince = nil
        outputs.append(.close)
    }

    // MARK: Statistics

    package var statistics: Statistics {
        var all = totals
        all.isPublished = state == .recording
        if let media { all.add(media) }
        for (name, count) in drops.named { all.drops["publication-\(name)", default: 0] += count }
        return all
    }
}

extension RTSPPublication.Statistics {
    fileprivate mutating func add(_ media: PlayerMedia) {
        framesSent += media.framesSent
        packetsSent += media.packetsSent
        bytesSent += media.bytesSent
        for (name, count) in media.drops.named { drops["publication-\(name)", default: 0] += count }
    }
}
