import HelioCore
import HelioProtection
import HelioRTSP

// Sound in a viewer's session: set up beside the picture, turned on and off while it plays.

extension SourceSession {
    /// Sets up the sound of the system or of the microphone. The viewer sends nothing on this stream, so its request
    /// has no key: its reports on sound are sent with those on video.
    func setUp(_ sound: StreamOffer.Sound, _ request: RTSPRequest, host: any SessionHost, now: Instant) {
        guard let transports = request.headers["Transport"].flatMap(TransportHeader.list) else {
            return respond(.badRequest, to: request)
        }
        guard transports.contains(where: { $0.isSecureFeedback }) else {
            return respond(.unsupportedTransport, to: request)
        }
        guard state.after(.setUpSound) != nil, let media, !media.hasSound(of: sound.origin) else {
            return respond(.invalidState, to: request)
        }
        let ssrc = host.makeSSRC()
        do {
            try media.add(sound, ssrc: ssrc, crypto: suite.provider(for: .audio, over: host.crypto), now: now)
        } catch {
            return respond(.internalError, to: request)
        }
        guard advance(.setUpSound) else { return respond(.invalidState, to: request) }
        var reply = TransportHeader("RTP/SAVPF/UDP")
        reply.ssrc = ssrc
        reply.serverPorts = host.mediaPort...host.mediaPort
        reply.others.append(.init("viewer-ssrc", String(viewerSSRC.rawValue, radix: 16)))
        respond(.ok, to: request, ["Transport": reply.value, "Session": sessionHeader])
    }

    /// Handles the viewer's request to turn on the sound of the listed origins (system, microphone), and to turn off
    /// all other sound. Refuses the request if one of these origins was not set up.
    func setSound(_ request: RTSPRequest, now: Instant) {
        guard state.after(.setSound) != nil, let media else { return respond(.invalidState, to: request) }
        guard let on = SoundMessage.decode(request.body) else { return respond(.badRequest, to: request) }
        guard media.turnOnSound(of: on, now: now), advance(.setSound) else { return respond(.forbidden, to: request) }
        respond(.ok, to: request, ["Session": sessionHeader])
    }
}
