import HelioAdmission
package import HelioCore
internal import HelioMedia
internal import HelioPlainRTP
package import HelioProtection
import HelioRTP
import HelioRTSP
import HelioSDP

/// The engine of a client that publishes the encoded stream to another program's RTSP server (ANNOUNCE and RECORD of
/// RFC 2326).
///
///     waiting --.connect--> connecting --OPTIONS--> asking --> coding --ANNOUNCE--> announcing --.openPorts-->
///        ^                                          first keyframe                                  |
///        |                                                                                          |
///        |      server gone, busy, silent                          recording <--RECORD-- settingUp, UDP
///        \----------------------------------------- from anywhere                        461: SETUP, TCP
///
/// Digest challenges (401) are answered. After a lost connection or a temporary refusal the client retries, but not
/// after a permanent refusal. It can't know when viewers join at the server, so it sends a keyframe every few seconds.
package final class RTSPRecordClient: Audience, DropCounting, RTSPClientEngine {
    private enum State: Equatable {
        case waiting
        case connecting
        case asking
        /// The server has answered. The client waits for a keyframe, whose parameter sets ANNOUNCE needs.
        case coding
        case announcing
        case settingUp
        case settingUpSound
        case starting
        case recording
        case ended
    }

    /// The time limit from `.connect` to the response to OPTIONS, and from ANNOUNCE to the response to RECORD.
    private static let startTime = Duration.seconds(10)
    /// The interval of keyframes; a viewer that joins at the server sees nothing before the next keyframe.
    private static let keyframeInterval = Duration.seconds(4)
    /// The maximum interval of keep-alives, so that a silent server is noticed even if its session timeout is long.
    private static let longestKeepAlive = Duration.seconds(15)

    private let settings: Settings
    private let dialogue: ServerDialogue<Event>
    private var state = State.waiting
    private var retryAt: Instant
    private var retry = RecordRetry()
    private var startBy: Instant
    private var drops = DropCounter<Drop>()
    private var totals = Statistics()

    // State of the connection.
    private var media: PlainSource?
    /// The sound; `nil` unless the server has accepted it.
    private var sound: PlainSoundSource?
    private var nextKeepAlive: Instant?
    private var answersKeepAlive = false
    private var missedKeepAlives = 0
    private var recordingSince: Instant?

    // State of the stream.
    private var format: VideoFormat
    private var sets: ParameterSets?
    private var demand: PictureDemand
    private var isWatched = false
    private var lastKeyframe: Instant
    private var isKeyframeDue = false

    /// The encoder settings of the sound; `nil` without sound, and once the server has refused it.
    private var soundEncode: SoundEncode?
    private var soundWanted: [SoundOrigin: SoundDemand] = [:]
    /// True if the last announced description has sound.
    private var hasAnnouncedSound = false

    /// The last reported reason of `lost` or `waiting`.
    private var toldReason: String?

    package init(
        _ settings: Settings, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable, now: Instant
    ) {
        self.settings = settings
        format = settings.format
        soundEncode = settings.sound
        retryAt = now
        startBy = now
        lastKeyframe = now
        demand = PictureDemand(now: now)
        dialogue = ServerDialogue(
            settings.address, to: .record, isInterleavedOnly: settings.isInterleavedOnly, crypto: crypto,
            random: random)
    }

    package func poll() -> RTSPClientOutput<Event>? { dialogue.poll() }

    // MARK: Inputs

    package func handle(_ input: consuming Input, now: Instant) {
        guard state != .ended else { return }
        switch input {
        case .link(let event): handle(event, now)
        case .slice(let slice): handle(slice, now)
        case .sound(let sound): handle(sound, now)
        case .format(let new): change(new, now)
        }
        pass(now)
        demandPictures(now)
    }

    private func handle(_ event: RTSPLinkEvent, _ now: Instant) {
        switch event {
        case .connected:
            guard state == .connecting else { return }
            state = .asking
            request(.options, uri, now: now)
        case .disconnected:
            lose(
                state == .connecting
                    ? "The server can't be reached: is it running there, and is the port open?"
                    : "The server closed the connection.", now: now)
        case .refused(let error): fail(error, now: now)
        case .received(let bytes): handle(bytes, now)
        case .written(let count): dialogue.wrote(count, now: now)
        case .portsOpen(let rtp, let rtcp): check(dialogue.portsAreOpen((rtp, rtcp), now: now), now)
        case .portsFailed: check(dialogue.portsAreOpen(nil, now: now), now)
        case .datagram(let bytes, let channel, let track):
            guard dialogue.transports[track]?.isDatagrams == true else { return drops.count(.foreignChannel) }
            handle(bytes, channel, now)
        // RTCP reports are never this long, so ignore the datagram.
        case .truncatedDatagram: break
        }
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
            sound?.tick(now: now)
            if dialogue.unsent.isStuck(now: now) { lose("The server takes nothing any more.", now: now) }
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
                .earliest(
                    .earliest(.earliest(keepAlive, dialogue.unsent.deadline), sound?.deadline),
                    .earliest(keyframe, media?.deadline)),
                demand.deadline(wantsKeyframe: wantsKeyframe, isShown: true))
        default: return Deadline(at: startBy, why: "the server must answer")
        }
    }

    /// Ends the session with BYE and TEARDOWN.
    package func leave(now: Instant) {
        guard state != .ended else { return }
        disconnect(.ended, now: now)
        demandPictures(now)
    }

    // MARK: The connection

    private var uri: String { settings.address.uri }

    private func connect(_ now: Instant) {
        state = .connecting
        startBy = now + Self.startTime
        answersKeepAlive = false
        missedKeepAlives = 0
        nextKeepAlive = nil
        dialogue.forgetServer()
        dialogue.connect()
    }

    private func request(
        _ method: RTSPMethod, _ uri: String, headers: RTSPHeaders = [:], body: [UInt8] = [], now: Instant
    ) {
        check(dialogue.request(method, uri, headers: headers, body: body, now: now), now)
    }

    /// Ends the client with the error of a request that could not be made.
    private func check(_ failure: HelioError?, _ now: Instant) {
        if let failure { fail(failure, now: now) }
    }

    private func handle(_ bytes: [UInt8], _ now: Instant) {
        guard state != .waiting, state != .connecting else { return }
        dialogue.append(bytes)
        while state != .waiting, state != .ended, let heard = dialogue.next(now: now) {
            switch heard {
            case .answer(let response): handle(response, now)
            case .setUp(.video, let transport): setUpSound(transport, now)
            case .setUp(.sound, _): record(now)
            case .setUpRefused(.video, let response): refuse(response, "to set the stream up", now)
            case .setUpRefused(.sound, let response):
                refuseSound(response)
                record(now)
            case .noTransport:
                let isOwnChoice = settings.isInterleavedOnly && !settings.address.isSecure
                let error =
                    isOwnChoice
                    ? HelioError(
                        .unsupported, "The server takes no RTP over TCP (461).", remedy: .publishByDatagrams)
                    : HelioError(.unsupported, "The server takes RTP neither over UDP nor over TCP (461).")
                refuse(ServerRefusal(error), now: now)
            case .packet(let packet, let channel, _): handle(packet, channel, now)
            case .foreignPacket: drops.count(.foreignChannel)
            case .strayResponse: drops.count(.strayResponse)
            case .request:
                if dialogue.unsent.isTooMuch { lose("The server reads no answers.", now: now) }
            case .teardown: lose("The server has ended the session.", now: now)
            case .refused(let error): fail(error, now: now)
            case .violated(let error): refuse(ServerRefusal(error), now: now)
            }
        }
    }

    /// Handles a packet from the server, which may only send RTCP.
    private func handle(_ bytes: [UInt8], _ channel: RTPChannel, _ now: Instant) {
        guard channel == .rtcp, let media, state == .recording else { return drops.count(.foreignChannel) }
        guard RTCPPacket.isRTCP(bytes.span.bytes), let packets = RTCPPacket.parseCompound(bytes.span.bytes) else {
            return media.countMalformedReports()
        }
        let isOfSound = sound?.handle(packets) ?? false
        if !media.handle(packets, now: now), !isOfSound { drops.count(.foreignReports) }
    }

    // MARK: Responses

    private func handle(_ response: RTSPResponse, _ now: Instant) {
        switch state {
        case .asking:
            dialogue.learnMethods(response)
            state = .coding
            announce(now)
        case .announcing: announced(response, now)
        case .starting: started(response, now)
        case .recording:
            answersKeepAlive = true
            missedKeepAlives = 0
            if response.status == .sessionNotFound { lose("The server has forgotten the session.", now: now) }
        case .waiting, .connecting, .coding, .settingUp, .settingUpSound, .ended: drops.count(.strayResponse)
        }
    }

    /// Sends ANNOUNCE once the parameter sets are known.
    private func announce(_ now: Instant) {
        guard state == .coding, let sets else { return }
        state = .announcing
        startBy = now + Self.startTime
        hasAnnouncedSound = soundEncode != nil
        let type = PlayerDescription.payloadType
        let description = PlayerDescription.make(
            format, sets, sound: soundEncode, id: UInt64.random(in: 1...1 << 62, using: &dialogue.random),
            feedback: [RTCPFeedback(type, "nack", "pli"), RTCPFeedback(type, "ccm", "fir")])
        request(.announce, uri, headers: ["Content-Type": "application/sdp"], body: description, now: now)
    }

    private func announced(_ response: RTSPResponse, _ now: Instant) {
        guard response.status.isSuccess else {
            // The server may have refused only the sound.
            guard soundEncode != nil, Self.mayBeOfSound(response.status) else {
                return refuse(response, "to announce the stream", now)
            }
            refuseSound(response)
            state = .coding
            return announce(now)
        }
        // Some servers send the session in the response to ANNOUNCE.
        dialogue.session = response.headers["Session"].flatMap(RTSPSessionHeader.init(lenient:))
        state = .settingUp
        check(dialogue.setUp(.video, Self.uri(of: .video, below: uri), now: now), now)
    }

    private static func uri(of track: PlainTrack, below uri: String) -> String {
        PlainDescription.join(uri, PlayerDescription.name(of: track))
    }

    /// Returns true if a server that has refused ANNOUNCE with this status may accept the video alone. Most client
    /// errors can be due to the sound.
    private static func mayBeOfSound(_ status: RTSPStatus) -> Bool {
        (400..<500).contains(status.code) && ![401, 403, 404, 405, 453, 454, 455].contains(status.code)
    }

    /// Disables the sound for this and all later sessions.
    private func refuseSound(_ response: RTSPResponse) {
        guard soundEncode != nil else { return }
        soundEncode = nil
        dialogue.emit(.soundRefused(reason: "The server does not take the sound (\(response.status.code))."))
    }

    /// Sets up the sound, if there is any, after the video.
    private func setUpSound(_ transport: PlainTransport, _ now: Instant) {
        let ssrc = SSRC(UInt32.random(in: 1 ... .max, using: &dialogue.random))
        media = PlainSource(
            format, as: PlayerDescription.payloadType, ssrc: ssrc, isPaced: transport.isDatagrams,
            clockOffset: settings.clockOffset)
        guard soundEncode != nil else { return record(now) }
        state = .settingUpSound
        check(dialogue.setUp(.sound, Self.uri(of: .sound, below: uri), now: now), now)
    }

    /// Sends RECORD for the tracks that are set up.
    private func record(_ now: Instant) {
        if let soundEncode, let media, dialogue.transports[.sound] != nil {
            sound = PlainSoundSource(
                soundEncode, as: PlayerDescription.soundType, ssrc: SSRC(media.ssrc.rawValue &+ 1),
                clockOffset: settings.clockOffset)
        }
        state = .starting
        request(.record, uri, headers: ["Range": "npt=0.000-"], now: now)
    }

    private func started(_ response: RTSPResponse, _ now: Instant) {
        guard response.status.isSuccess else {
            // Some servers require all announced tracks to be set up, so announce the video again without sound.
            guard hasAnnouncedSound, sound == nil else {
                return refuse(response, "to take the stream", now)
            }
            return lose("The server wants sound.", hurries: true, now: now)
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
        sound?.play(now: now)
        var isInterleaved = false
        if case .interleaved? = dialogue.transport { isInterleaved = true }
        dialogue.emit(.published(isInterleaved: isInterleaved))
    }

    // MARK: Keep-alive

    private var keepAliveInterval: Duration { min(dialogue.keepAliveInterval, Self.longestKeepAlive) }

    private func keepAlive(_ now: Instant) {
        guard let due = nextKeepAlive, now >= due else { return }
        if dialogue.isWaiting {
            missedKeepAlives += 1
            // Some servers never answer a publisher's keep-alives, so treat only a server that has answered one as
            // lost.
            if answersKeepAlive, missedKeepAlives >= 2 { return lose("The server no longer answers.", now: now) }
        }
        nextKeepAlive = now + keepAliveInterval
        check(dialogue.keepAlive(uri, isAnswered: missedKeepAlives == 0, now: now), now)
    }

    // MARK: The stream

    private func handle(_ slice: EncodedSlice, _ now: Instant) {
        demand.heard(slice, now: now)
        if slice.isFirst, slice.isKeyframe {
            lastKeyframe = now
            isKeyframeDue = false
            if let new = ParameterSets(annexB: slice.annexB, codec: format.codec) {
                sets = new
                announce(now)
            }
        }
        if state == .recording { media?.send(slice, unsent: dialogue.unsent.count, now: now) }
    }

    private func handle(_ packet: EncodedSound, _ now: Instant) {
        guard state == .recording, packet.origin == settings.soundOrigin else { return }
        sound?.send(packet, unsent: dialogue.unsent.count, now: now)
    }

    private func change(_ new: VideoFormat, _ now: Instant) {
        let old = format
        format = new
        // The next keyframe contains new parameter sets.
        if new.size != old.size || new.chroma != old.chroma || new.codec != old.codec { sets = nil }
        // RTSP 1.0 can't signal a codec change, so announce the stream again.
        guard new.codec != old.codec, [.announcing, .settingUp, .settingUpSound, .starting, .recording].contains(state)
        else { return }
        lose("The codec has changed.", hurries: true, now: now)
    }

    private var wantsKeyframe: Bool {
        switch state {
        case .coding: true
        case .recording: isKeyframeDue || media?.wantsKeyframe(unsent: dialogue.unsent.count) ?? false
        default: false
        }
    }

    /// Reports a change of `watched`, and requests keyframes, repeated frames and sound.
    private func demandPictures(_ now: Instant) {
        let isNeeded = [.coding, .announcing, .settingUp, .settingUpSound, .starting, .recording].contains(state)
        if isNeeded != isWatched {
            isWatched = isNeeded
            demand.begin(now: now)
            dialogue.emit(.watched(isNeeded))
        }
        if wantsKeyframe, demand.takesKeyframeDemand(now: now) {
            dialogue.emit(.keyframeNeeded(reason: "the server that is published to needs one"))
        }
        if state == .recording, demand.takesFrameDemand(now: now) { dialogue.emit(.frameNeeded) }
        demandSound()
    }

    /// Reports a change of the demand for sound.
    private func demandSound() {
        var wanted: [SoundOrigin: SoundDemand] = [:]
        if state == .recording, let sound {
            wanted[settings.soundOrigin] = SoundDemand(
                encodes: [sound.encode], lossShare: sound.lossShare, takesSilence: true)
        }
        guard wanted != soundWanted else { return }
        soundWanted = wanted
        dialogue.emit(.soundWanted(wanted))
    }

    private func pass(_ now: Instant) {
        while let packet = media?.pollPacket() { send(packet, .video, now) }
        while let packet = sound?.pollPacket() { send(packet, .sound, now) }
    }

    private func send(_ packet: PlainSource.Packet, _ track: PlainTrack, _ now: Instant) {
        switch packet {
        case .media(let bytes): dialogue.send(bytes, .rtp, track, now: now)
        case .reports(let bytes): dialogue.send(bytes, .rtcp, track, now: now)
        }
    }

    // MARK: Endings

    private func refuse(_ response: RTSPResponse, _ what: String, _ now: Instant) {
        refuse(ServerRefusal(response, what, to: .record), now: now)
    }

    /// Handles a refusal, which is final unless it may be temporary or the server has accepted the stream before.
    private func refuse(_ refusal: ServerRefusal, now: Instant) {
        guard refusal.passes || totals.sessions > 0 else { return fail(refusal.error, now: now) }
        lose(refusal.error.message, wish: refusal.retryAfter, now: now)
    }

    /// Ends the client, as a retry would fail too.
    private func fail(_ error: HelioError, now: Instant) {
        guard state != .ended else { return }
        disconnect(.ended, now: now)
        dialogue.emit(.failed(error))
    }

    private func lose(_ reason: String, wish: Duration? = nil, hurries: Bool = false, now: Instant) {
        guard state != .ended, state != .waiting else { return }
        let published = recordingSince.map { now - $0 }
        disconnect(.waiting, now: now)
        retryAt =
            hurries
            ? now + Reconnection.pause
            : retry.failed(hasAnswered: dialogue.hasAnswered, published: published, wish: wish, now: now)
        if published != nil {
            dialogue.emit(.lost(reason: reason))
        } else if reason != toldReason {
            dialogue.emit(.waiting(reason: reason))
        }
        toldReason = reason
    }

    private func disconnect(_ next: State, now: Instant) {
        if state == .recording {
            media?.sayGoodbye(now: now)
            sound?.sayGoodbye(now: now)
            pass(now)
        }
        state = next
        dialogue.tearDown(uri, now: now)
        totals.sent.add(media, sound)
        totals.drops.add(mediaDrops)
        media = nil
        sound = nil
        recordingSince = nil
        dialogue.close()
    }

    // MARK: Statistics

    package var statistics: Statistics {
        var all = totals
        all.isPublished = state == .recording
        all.sent.add(media, sound)
        all.drops = allDrops
        return all
    }

    package var allDrops: [String: Int] { .sum(totals.drops, mediaDrops, drops.named("publication-")) }

    private var mediaDrops: [String: Int] {
        .sum(media?.named("publication-"), sound?.named("publication-"))
    }
}
