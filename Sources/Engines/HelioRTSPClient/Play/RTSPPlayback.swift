package import HelioCore
package import HelioProtection
internal import HelioRTSP
package import HelioSession

/// Plays a stream of another program's RTSP server (RFC 2326), as one engine: view only, unprotected, as is usual there.
///
///     .connected --OPTIONS--> --DESCRIBE--> --.openPorts--> .portsOpen --SETUP, UDP--> --PLAY--> playing --> ended
///                                                                         |                     |
///                                                       461: SETUP, TCP --+  none in 3 s, or too long: .reconnect, TCP
///
/// A 401 is answered by digest, wherever it comes. A server that asks for a redirection, another codec, or
/// the password in the clear is not followed, and the error says so.
package final class RTSPPlayback: Engine {
    private enum State: Equatable {
        case connecting
        case asking
        case describing
        case openingPorts
        case settingUp
        case starting
        case playing
        case ended
    }

    /// The whole way from connecting to PLAY's answer.
    private static let startTime = Duration.seconds(10)
    /// How long UDP may bring nothing before TCP is tried.
    private static let datagramPatience = Duration.seconds(3)

    private let address: RTSPAddress
    private var random: any RandomNumberGenerator & Sendable
    private var dialogue: ServerDialogue

    private var state = State.connecting
    private var parser = RTSPParser()
    private var outputs = OutputQueue<Output>()
    private var drops = DropCounter<ForeignDrop>()
    private var hasGetParameter = false
    private var description: ForeignDescription?
    private var transport: PlaybackTransport?
    private var ports: (rtp: UInt16, rtcp: UInt16)?
    /// UDP was refused, brought nothing, or would not be protected.
    private var isInterleavedOnly = false
    private var media: ForeignMedia?
    private var isAnnounced = false
    private var startBy: Instant
    private var datagramsBy: Instant?
    private var nextKeepAlive: Instant?

    package init(
        _ address: RTSPAddress, crypto: any CryptoProvider, random: any RandomNumberGenerator & Sendable, now: Instant
    ) {
        self.address = address
        self.random = random
        dialogue = ServerDialogue(
            PlaybackAuthentication(
                address.credentials,
                howToGive: "set HELIOGRAPH_RTSP_USER and HELIOGRAPH_RTSP_PASSWORD, or give rtsp://USER:PASSWORD@... on "
                    + "standard input to 'heliograph view -'",
                crypto: crypto))
        // Over UDP the pictures would go in the clear.
        isInterleavedOnly = address.isSecure
        startBy = now + Self.startTime
    }

    package func poll() -> Output? { outputs.next() }

    // MARK: Inputs

    package func handle(_ input: consuming Input, now: Instant) {
        guard state != .ended else { return }
        switch input {
        case .connected:
            guard state == .connecting else { return }
            state = .asking
            request(.options, address.uri)
        case .received(let bytes): receive(bytes, now)
        case .disconnected:
            end(.unreachable, state == .playing ? "The server closed the connection." : notStarted)
        case .portsOpen(let rtp, let rtcp):
            guard state == .openingPorts else { return }
            ports = (rtp, rtcp)
            setUp()
        case .portsFailed:
            guard state == .openingPorts else { return }
            isInterleavedOnly = true
            setUp()
        case .datagram(let bytes, let channel):
            guard case .udp = transport else { return drops.count(.foreignChannel) }
            media?.receive(bytes, channel, now: now)
            drain(now)
        case .truncatedDatagram:
            drops.count(.truncated)
            // Larger packets fit into TCP.
            if state == .playing, case .udp = transport { fallBack(now) }
        case .keyframeNeeded:
            media?.waitForKeyframe(now: now)
            drain(now)
        }
    }

    package func tick(now: Instant) {
        guard state != .ended else { return }
        guard state == .playing else {
            if now >= startBy {
                end(.unreachable, "The server did not answer in \(Self.startTime.components.seconds) s.")
            }
            return
        }
        if let due = datagramsBy, media?.hasBegun == true || now >= due {
            datagramsBy = nil
            if media?.hasBegun != true { return fallBack(now) }
        }
        if let due = nextKeepAlive, now >= due {
            nextKeepAlive = now + keepAliveInterval
            // Some servers answer GET_PARAMETER to nobody, whatever they say.
            request(hasGetParameter && !dialogue.isWaiting ? .getParameter : .options, sessionURI)
        }
        media?.tick(now: now)
        drain(now)
        guard let media, state == .playing else { return }
        if media.hasEnded(now: now) {
            end(.ended, "The server has ended the stream.")
        } else if media.hasVanished(now: now) {
            let time = ForeignMedia.vanishTime.components.seconds
            end(
                .unreachable,
                media.hasBegun
                    ? "The server has sent nothing for \(time) s: its machine, its source or the network is gone."
                    : "The server answers but sends no video: is its source running?")
        }
    }

    package var deadline: Deadline? {
        switch state {
        case .ended: return nil
        case .playing:
            let keepAlive = nextKeepAlive.map { Deadline(at: $0, why: "keep-alive") }
            let datagrams = datagramsBy.map { Deadline(at: $0, why: "UDP brings nothing") }
            return .earliest(.earliest(keepAlive, datagrams), media?.deadline)
        default: return Deadline(at: startBy, why: "the server must answer")
        }
    }

    /// Leaves in good order: says good-bye, tells the server.
    package func leave(now: Instant) {
        guard state != .ended else { return }
        if state == .playing { media?.sayGoodbye() }
        drain(now)
        state = .ended
        tearDown()
        outputs.append(.close)
    }

    // MARK: Requests

    private var sessionURI: String { description?.sessionURI ?? address.uri }

    private func request(_ method: RTSPMethod, _ uri: String, headers: RTSPHeaders = [:]) {
        do {
            outputs.append(.send(try dialogue.request(method, uri, headers: headers)))
        } catch {
            end(error)
        }
    }

    private func tearDown() {
        guard dialogue.session != nil else { return }
        request(.teardown, sessionURI)
        dialogue.forget()
    }

    private func receive(_ bytes: [UInt8], _ now: Instant) {
        guard state != .connecting else { return }
        parser.append(bytes)
        do {
            while state != .ended, let message = try parser.next() {
                switch message {
                case .response(let response): hear(response, now)
                case .request(let request): answer(request)
                case .interleaved(let channel, let packet): receive(packet, on: channel, now)
                }
            }
        } catch {
            end(.protocolViolation, "The server does not speak RTSP 1.0 as it should: \(error).")
        }
    }

    private func receive(_ packet: [UInt8], on channel: UInt8, _ now: Instant) {
        guard case .interleaved(let rtp, let rtcp) = transport, channel == rtp || channel == rtcp else {
            return drops.count(.foreignChannel)
        }
        media?.receive(packet, channel == rtp ? .rtp : .rtcp, now: now)
        drain(now)
    }

    /// The server's own requests: it may ask whether we are there, and end the session (RFC 2326 section 10).
    private func answer(_ request: RTSPRequest) {
        if request.method == .teardown { return end(.ended, "The server has ended the stream.") }
        if request.method.rawValue == "REDIRECT" { return end(PlaybackRefusal.moved(request.headers)) }
        let isKnown = [.options, .getParameter, .setParameter].contains(request.method)
        outputs.append(
            .send(
                RTSPResponse(
                    isKnown ? .ok : .notImplemented, headers: request.headers["CSeq"].map { ["CSeq": $0] } ?? [:]
                ).serialised()))
    }

    // MARK: Responses

    private func hear(_ response: RTSPResponse, _ now: Instant) {
        do {
            switch try dialogue.hear(response, using: &random) {
            case .answer: break
            case .again(let bytes): return outputs.append(.send(bytes))
            case .stray: return drops.count(.strayResponse)
            case .provisional: return
            }
        } catch {
            return end(error)
        }
        switch state {
        case .asking: asked(response)
        case .describing: described(response)
        case .settingUp: setUpDone(response, now)
        case .starting: started(response, now)
        case .playing:
            if response.status == .sessionNotFound { end(.unreachable, "The server has forgotten the session.") }
        case .connecting, .openingPorts, .ended: drops.count(.strayResponse)
        }
    }

    /// Whatever the status: some servers know no OPTIONS.
    private func asked(_ response: RTSPResponse) {
        let methods = response.headers["Public"]?.split(separator: ",") ?? []
        hasGetParameter = methods.contains { $0.filter { $0 != " " } == RTSPMethod.getParameter.rawValue }
        state = .describing
        request(.describe, address.uri, headers: ["Accept": "application/sdp"])
    }

    private func described(_ response: RTSPResponse) {
        guard response.status.isSuccess else { return end(PlaybackRefusal.error(response, "to describe the stream")) }
        let base = response.headers["Content-Base"] ?? response.headers["Content-Location"]
        do {
            description = try ForeignDescription(
                response.body, base: base.flatMap { RTSPAddress.isScheme($0) ? $0 : nil } ?? address.uri)
        } catch {
            return end(PlaybackRefusal.unplayable(error))
        }
        if isInterleavedOnly { return setUp() }
        state = .openingPorts
        outputs.append(.openPorts)
    }

    private func setUp() {
        guard let description else { return }
        state = .settingUp
        let wanted = PlaybackTransport.request(clientPorts: isInterleavedOnly ? nil : ports, for: .play)
        request(.setup, description.streamURI, headers: ["Transport": wanted])
    }

    private func setUpDone(_ response: RTSPResponse, _ now: Instant) {
        if response.status == .unsupportedTransport {
            guard !isInterleavedOnly else {
                return end(
                    .unsupported,
                    ports == nil
                        ? "The server sends no RTP over TCP, and this machine gives no UDP ports."
                        : "The server sends RTP neither over UDP nor over TCP in a way that gets here.")
            }
            isInterleavedOnly = true
            return setUp()
        }
        guard response.status.isSuccess else { return end(PlaybackRefusal.error(response, "to set the stream up")) }
        guard let answer = response.headers["Transport"].flatMap(PlaybackTransport.init(answer:)),
            let session = response.headers["Session"].flatMap(RTSPSessionHeader.init(foreign:)), let description
        else {
            return end(.protocolViolation, "The server's answer to SETUP lacks a session, or ports or channels.")
        }
        if case .udp(let rtp, let rtcp) = answer {
            guard !isInterleavedOnly else {
                return end(.protocolViolation, "The server answers with UDP where it was asked for TCP.")
            }
            outputs.append(.aim(rtp: rtp, rtcp: rtcp))
        }
        transport = answer
        dialogue.session = session
        let ssrc = SSRC(UInt32.random(in: .min ... .max, using: &random))
        media = ForeignMedia(description, ssrc: ssrc, now: now)
        if case .udp = answer { media?.punch(now: now) }
        drain(now)
        state = .starting
        request(.play, sessionURI)
    }

    private func started(_ response: RTSPResponse, _ now: Instant) {
        guard response.status.isSuccess else { return end(PlaybackRefusal.error(response, "to play the stream")) }
        state = .playing
        nextKeepAlive = now + keepAliveInterval
        if case .udp = transport { datagramsBy = now + Self.datagramPatience }
        media?.begin(now: now)
    }

    /// Half of the time after which the server would forget us (RFC 2326 section 12.37).
    private var keepAliveInterval: Duration { .seconds(min(max(dialogue.session?.timeout ?? 60, 2), 86_400)) / 2 }

    /// UDP does not get here as it should: all over again, on a connection that carries the media too.
    private func fallBack(_ now: Instant) {
        tearDown()
        isInterleavedOnly = true
        isAnnounced = false
        media = nil
        transport = nil
        parser = RTSPParser()
        nextKeepAlive = nil
        state = .connecting
        startBy = now + Self.startTime
        outputs.append(.reconnect)
    }

    private func drain(_ now: Instant) {
        guard let media else { return }
        if media.hasBegun, !isAnnounced, let description {
            isAnnounced = true
            let format = VideoFormat(
                codec: description.codec, size: description.size ?? PixelSize(width: 0, height: 0))
            outputs.append(.event(.playing(format, isInterleaved: isInterleavedOnly)))
        }
        while let output = media.next() {
            switch output {
            case .frame(let frame): outputs.append(.event(.frame(frame)))
            case .packet(let bytes, let channel): send(bytes, channel)
            }
        }
        if let what = media.obstacle { end(PlaybackRefusal.unplayable(.unsupported(what))) }
    }

    private func send(_ bytes: [UInt8], _ channel: RTPChannel) {
        switch transport {
        case .udp: outputs.append(.datagram(bytes, channel))
        case .interleaved(let rtp, let rtcp):
            outputs.append(
                .send(RTSPMessage.interleaved(channel: channel == .rtp ? rtp : rtcp, bytes).serialised()))
        case nil: break
        }
    }

    // MARK: Endings

    private var notStarted: String {
        state == .connecting || state == .asking
            ? "The server closed the connection before it answered: is it an RTSP server?"
            : "The server closed the connection before the stream began."
    }

    private func end(_ code: HelioError.Code, _ message: String) { end(HelioError(code, message)) }

    private func end(_ error: HelioError) {
        guard state != .ended else { return }
        state = .ended
        tearDown()
        outputs.append(.event(.ended(error)))
        outputs.append(.close)
    }

    // MARK: Statistics

    package var statistics: SinkSession.Statistics {
        var statistics = SinkSession.Statistics()
        media?.add(to: &statistics)
        for (name, count) in drops.named { statistics.drops["media-\(name)", default: 0] += count }
        return statistics
    }
}
