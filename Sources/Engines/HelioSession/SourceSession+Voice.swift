import HelioCore
import HelioProtection
import HelioRTSP

// The setup of a viewer's voice in its session at the host.

extension SourceSession {
    /// Sets up the viewer's voice, with the key of the request. It is sent with the SSRC and on the path of the
    /// viewer's reports.
    func setUpVoice(_ request: RTSPRequest, host: any SessionHost) {
        guard let attributes = SetupAnswer.attributes(of: request.body),
            let transports = request.headers["Transport"].flatMap(TransportHeader.list)
        else { return respond(.badRequest, to: request) }
        guard transports.contains(where: { $0.isSecureFeedback }) else {
            return respond(.unsupportedTransport, to: request)
        }
        guard let key = KeyAttribute.mediaKey(attributes, .viewerVoice, unmaskedBy: suite, crypto: host.crypto) else {
            return respond(.notAcceptable, to: request)
        }
        guard state.after(.setUpSound) != nil, let media, media.voice == nil else {
            return respond(.invalidState, to: request)
        }
        do {
            try media.addVoice(key, crypto: suite.provider(for: .audio, over: host.crypto))
        } catch {
            return respond(.internalError, to: request)
        }
        guard advance(.setUpSound) else { return respond(.invalidState, to: request) }
        var reply = TransportHeader("RTP/SAVPF/UDP")
        reply.serverPorts = host.mediaPort...host.mediaPort
        reply.others.append(.init("viewer-ssrc", String(viewerSSRC.rawValue, radix: 16)))
        respond(.ok, to: request, ["Transport": reply.value, "Session": sessionHeader])
    }
}

extension TransportHeader {
    /// True for SRTP with feedback (the profile SAVPF) that is not interleaved on a connection.
    var isSecureFeedback: Bool { transport.uppercased().hasPrefix("RTP/SAVPF") && interleaved == nil }
}
