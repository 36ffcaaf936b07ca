import HelioAdmission
package import HelioCore
package import HelioMedia
internal import HelioPlainRTP
package import HelioProtection
import HelioRTP
import HelioRTSP

/// The engine of a client that plays a stream from another program's RTSP server (RFC 2326). The stream is unencrypted
/// unless the address requires TLS.
///
///     .connected --OPTIONS--> --DESCRIBE--> --.openPorts--> .portsOpen --SETUP, UDP--> --PLAY--> playing --> ended
///                                                                         |                     |
///                                                       461: SETUP, TCP --+  silent 3 s, or truncated: .connect, TCP
///
/// Sound is set up after the video if it can be decoded. If its setup fails, only the video is played.
///
/// Digest challenges (401) are answered. A redirection, an unsupported codec, or Basic authentication ends the client
/// with an error.
package final class RTSPPlayClient: DropCounting, RTSPClientEngine {
    package enum Input: RTSPClientInput {
        case link(RTSPLinkEvent)
        /// The decoder needs a keyframe. It can't be requested from the server, so frames are dropped until the next
        /// keyframe.
        case keyframeNeeded
    }

    package enum Event: Sendable {
        /// The first packet has arrived. The size is 0 by 0 if the server's SDP does not contain it.
        case playing(VideoFormat, isInterleaved: Bool)
        case frame(ReceivedFrame)
        /// The format of the following sound; `configuration` is the `AudioSpecificConfig` of AAC.
        case soundFormat(SoundCodec, SoundFormat, configuration: [UInt8])
        case sound(ReceivedSound)
        /// The mapping of sound timestamps to the clock of the frames' `sourceTiming`.
        case soundClock(SoundClock)
        /// The session has no sound, which is reported once. The reason is a clause for the user.
        case noSound(reason: String)
        case ended(HelioError)
    }

    private enum State: Equatable {
        case connecting
        case asking
        case describing
        case settingUp
        case settingUpSound
        case starting
        case playing
        case ended
    }

    /// The time limit from the opened connection to the response to PLAY.
    private static let startTime = Duration.seconds(10)
    /// The time without a packet over UDP after which the client falls back to TCP.
    private static let datagramPatience = Duration.seconds(3)

    private let dialogue: ServerDialogue<Event>
    private var state = State.connecting
    private var drops = DropCounter<MediaDrop>()
    private var description: PlainDescription?
    private var media: PlainSink?
    private var isAnnounced = false
    /// False once the server has closed the connection or timed out during the SETUP of sound, so that later attempts
    /// omit sound.
    private var asksForSound = true
    private var hasToldNoSound = false
    /// The end of the time limit for the start; `nil` until the first connection is open.
    private var startBy: Instant?
    private var datagramsBy: Instant?
    private var nextKeepAlive: Instant?

    package init(
        _ address: RTSPAddress, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable
    ) {
        dialogue = ServerDialogue(address, to: .play, crypto: crypto, random: random)
    }

    package func poll() -> RTSPClientOutput<Event>? { dialogue.poll() }

    // MARK: Inputs

    package func handle(_ input: consuming Input, now: Instant) {
        guard state != .ended else { return }
        switch input {
        case .link(let event): handle(event, now)
        case .keyframeNeeded:
            media?.waitForKeyframe(now: now)
            drain(now)
        }
    }

    private func handle(_ event: RTSPLinkEvent, _ now: Instant) {
        switch event {
        case .connected:
            guard state == .connecting else { return }
            state = .asking
            startBy = startBy ?? now + Self.startTime
            request(.options, dialogue.address.uri, now: now)
        case .received(let bytes): handle(bytes, now)
        case .disconnected:
            guard state == .settingUpSound else { return end(.unreachable, disconnection, now: now) }
            goWithoutSound(now)
        case .refused(let error): end(error, now: now)
        case .written(let count): dialogue.wrote(count, now: now)
        case .portsOpen(let rtp, let rtcp): check(dialogue.portsAreOpen((rtp, rtcp), now: now), now)
        case .portsFailed: check(dialogue.portsAreOpen(nil, now: now), now)
        case .datagram(let bytes, let channel, let track):
            guard dialogue.transports[track]?.isDatagrams == true else { return drops.count(.foreignChannel) }
            media?.handle(bytes, channel, track, now: now)
            drain(now)
        case .truncatedDatagram:
            drops.count(.truncated)
            // The datagram exceeds the driver's limit, which does not apply to packets over TCP, so fall back to TCP.
            if state == .playing, usesDatagrams { fallBack(now) }
        }
    }

    private var usesDatagrams: Bool { dialogue.transport?.isDatagrams == true }

    package func tick(now: Instant) {
        guard state != .ended else { return }
        guard state == .playing else {
            if let startBy, now >= startBy {
                if state == .settingUpSound { return goWithoutSound(now) }
                end(.unreachable, "The server did not answer in \(Self.startTime.components.seconds) s.", now: now)
            }
            return
        }
        if let due = datagramsBy, media?.hasBegun == true || now >= due {
            datagramsBy = nil
            if media?.hasBegun != true { return fallBack(now) }
        }
        if let due = nextKeepAlive, now >= due {
            nextKeepAlive = now + dialogue.keepAliveInterval
            check(dialogue.keepAlive(sessionURI, isAnswered: !dialogue.isWaiting, now: now), now)
        }
        media?.tick(now: now)
        drain(now)
        guard let media, state == .playing else { return }
        if media.hasEnded(now: now) {
            end(.ended, "The server has ended the stream.", now: now)
        } else if media.hasVanished(now: now) {
            let time = PlainSink.vanishTime.components.seconds
            end(
                .unreachable,
                media.hasBegun
                    ? "The server has sent nothing for \(time) s: its machine, its source or the network is gone."
                    : "The server answers but sends no video: is its source running?", now: now)
        }
    }

    package var deadline: Deadline? {
        switch state {
        case .ended: return nil
        case .playing:
            let keepAlive = nextKeepAlive.map { Deadline(at: $0, why: "keep-alive") }
            let datagrams = datagramsBy.map { Deadline(at: $0, why: "UDP brings nothing") }
            return .earliest(.earliest(keepAlive, datagrams), media?.deadline)
        default: return startBy.map { Deadline(at: $0, why: "the server must answer") }
        }
    }

    /// Ends the session with BYE and TEARDOWN.
    package func leave(now: Instant) {
        guard state != .ended else { return }
        if state == .playing { media?.sayGoodbye() }
        drain(now)
        close(nil, now)
    }

    // MARK: Requests

    private var sessionURI: String { description?.sessionURI ?? dialogue.address.uri }

    private func request(_ method: RTSPMethod, _ uri: String, headers: RTSPHeaders = [:], now: Instant) {
        check(dialogue.request(method, uri, headers: headers, now: now), now)
    }

    /// Ends the client with the error of a request that could not be made.
    private func check(_ failure: HelioError?, _ now: Instant) {
        if let failure { end(failure, now: now) }
    }

    private func handle(_ bytes: [UInt8], _ now: Instant) {
        guard state != .connecting else { return }
        dialogue.append(bytes)
        while state != .ended, let heard = dialogue.next(now: now) {
            switch heard {
            case .answer(let response): handle(response, now)
            case .setUp(.video, _): setUpSound(now)
            case .setUp(.sound, _): begin(now)
            case .setUpRefused(.video, let response): refused(response, "to set the stream up", now)
            case .setUpRefused(.sound, let response):
                tellNoSound("the server refuses to set it up (\(response.status.code))")
                begin(now)
            case .noTransport:
                end(
                    .unsupported,
                    dialogue.ports.isEmpty
                        ? "The server sends no RTP over TCP, and this machine gives no UDP ports."
                        : "The server sends RTP neither over UDP nor over TCP in a way that gets here.", now: now)
            case .packet(let packet, let channel, let track):
                media?.handle(packet, channel, track, now: now)
                drain(now)
            case .foreignPacket: drops.count(.foreignChannel)
            case .strayResponse: drops.count(.strayResponse)
            case .request:
                if dialogue.unsent.isTooMuch { end(.protocolViolation, "The server reads no answers.", now: now) }
            case .teardown: end(.ended, "The server has ended the stream.", now: now)
            case .refused(let error), .violated(let error): end(error, now: now)
            }
        }
    }

    // MARK: Responses

    private func handle(_ response: RTSPResponse, _ now: Instant) {
        switch state {
        case .asking:
            dialogue.learnMethods(response)
            state = .describing
            request(.describe, dialogue.address.uri, headers: ["Accept": "application/sdp"], now: now)
        case .describing: described(response, now)
        case .starting: started(response, now)
        case .playing:
            if response.status == .sessionNotFound {
                end(.unreachable, "The server has forgotten the session.", now: now)
            }
        case .connecting, .settingUp, .settingUpSound, .ended: drops.count(.strayResponse)
        }
    }

    private func described(_ response: RTSPResponse, _ now: Instant) {
        guard response.status.isSuccess else { return refused(response, "to describe the stream", now) }
        let base = response.headers["Content-Base"] ?? response.headers["Content-Location"]
        let described: PlainDescription
        do {
            described = try PlainDescription(
                response.body, base: base.flatMap { RTSPAddress.isScheme($0) ? $0 : nil } ?? dialogue.address.uri)
        } catch {
            return end(ServerRefusal.unplayable(error), now: now)
        }
        description = described
        state = .settingUp
        check(dialogue.setUp(.video, described.streamURI, now: now), now)
    }

    /// Sets up the sound, if there is any, after the video.
    private func setUpSound(_ now: Instant) {
        guard asksForSound, let sound = description?.sound else {
            if let why = description?.soundObstacle { tellNoSound(why) }
            return begin(now)
        }
        state = .settingUpSound
        check(dialogue.setUp(.sound, sound.uri, now: now), now)
    }

    private func tellNoSound(_ reason: String) {
        guard !hasToldNoSound else { return }
        hasToldNoSound = true
        dialogue.emit(.noSound(reason: reason))
    }

    /// Sends PLAY for the tracks that are set up.
    private func begin(_ now: Instant) {
        guard let description else { return }
        let ssrc = SSRC(UInt32.random(in: .min ... .max, using: &dialogue.random))
        let sound = dialogue.transports[.sound].flatMap { _ in description.sound }
        media = PlainSink(description.format, ssrc: ssrc, sound: sound, now: now)
        if let sound {
            dialogue.emit(.soundFormat(sound.codec, sound.format, configuration: sound.configuration))
        }
        if usesDatagrams { media?.punch(now: now) }
        drain(now)
        state = .starting
        request(.play, sessionURI, now: now)
    }

    private func started(_ response: RTSPResponse, _ now: Instant) {
        guard response.status.isSuccess else { return refused(response, "to play the stream", now) }
        state = .playing
        nextKeepAlive = now + dialogue.keepAliveInterval
        if usesDatagrams { datagramsBy = now + Self.datagramPatience }
        media?.begin(now: now)
    }

    /// Starts again on a new connection with the media interleaved in it, as media don't arrive by UDP.
    private func fallBack(_ now: Instant) {
        dialogue.tearDown(sessionURI, now: now)
        dialogue.isInterleavedOnly = true
        startOver(now)
    }

    /// Starts again with the video only, as the server fails at the SETUP of sound.
    private func goWithoutSound(_ now: Instant) {
        asksForSound = false
        tellNoSound("the server does not set it up")
        startOver(now)
    }

    /// Starts again on a new connection.
    private func startOver(_ now: Instant) {
        isAnnounced = false
        media = nil
        nextKeepAlive = nil
        datagramsBy = nil
        state = .connecting
        startBy = now + Self.startTime
        dialogue.connect()
    }

    private func drain(_ now: Instant) {
        guard let media else { return }
        if media.hasBegun, !isAnnounced, let description {
            isAnnounced = true
            let format = VideoFormat(
                codec: description.codec, size: description.size ?? PixelSize(width: 0, height: 0))
            dialogue.emit(.playing(format, isInterleaved: dialogue.isInterleavedOnly))
        }
        while let output = media.poll() {
            switch output {
            case .frame(let frame): dialogue.emit(.frame(frame))
            case .sound(let sound): dialogue.emit(.sound(sound))
            case .soundClock(let clock): dialogue.emit(.soundClock(clock))
            case .packet(let bytes, let channel, let track): dialogue.send(bytes, channel, track, now: now)
            }
        }
        if let what = media.obstacle { end(ServerRefusal.unplayable(.unsupported(what)), now: now) }
    }

    // MARK: Endings

    private var disconnection: String {
        switch state {
        case .playing: "The server closed the connection."
        case .connecting, .asking:
            "The server closed the connection before it answered: is it an RTSP server?"
        default: "The server closed the connection before the stream began."
        }
    }

    private func refused(_ response: RTSPResponse, _ what: String, _ now: Instant) {
        end(ServerRefusal(response, what, to: .play).error, now: now)
    }

    private func end(_ code: HelioError.Code, _ message: String, now: Instant) {
        end(HelioError(code, message), now: now)
    }

    private func end(_ error: HelioError, now: Instant) {
        guard state != .ended else { return }
        close(error, now)
    }

    private func close(_ error: HelioError?, _ now: Instant) {
        state = .ended
        dialogue.tearDown(sessionURI, now: now)
        if let error { dialogue.emit(.ended(error)) }
        dialogue.close()
    }

    // MARK: Statistics

    package var statistics: SinkStatistics {
        var statistics = media?.statistics ?? SinkStatistics()
        statistics.drops = allDrops
        return statistics
    }

    package var allDrops: [String: Int] { .sum(media, drops.named("media-")) }
}
