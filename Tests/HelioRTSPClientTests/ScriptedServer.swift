import HelioCore
import HelioOpenSSL
import HelioProtection
import HelioRTP
import HelioRTSP
import HelioRTSPClient

/// A simulated third-party RTSP server: it answers by RFC 2326, except for faults that a test sets.
final class ScriptedServer {
    static let uri = "rtsp://10.0.0.1:8554/cam"
    static let h264 = """
        v=0\r
        o=- 1 1 IN IP4 10.0.0.1\r
        s=Camera\r
        t=0 0\r
        a=control:*\r
        m=audio 0 RTP/AVP 3\r
        a=control:track0\r
        m=video 0 RTP/AVP 97\r
        a=rtpmap:97 H264/90000\r
        a=fmtp:97 packetization-mode=1;sprop-parameter-sets=Z2QAKqw=,aO48gA==\r
        a=control:track1\r\n
        """

    /// The same with sound of a supported format.
    static func withSound(_ format: String) -> String {
        h264.replacing("m=audio 0 RTP/AVP 3\r\n", with: "m=audio 0 RTP/AVP 96\r\n\(format)\r\n")
    }
    static let opus = withSound("a=rtpmap:96 opus/48000/2")
    static let aac = withSound(
        "a=rtpmap:96 mpeg4-generic/44100/2\r\na=fmtp:96 mode=AAC-hbr;config=1210;sizelength=13;indexlength=3;indexdeltalength=3"
    )

    var description = ScriptedServer.h264
    var methods = "OPTIONS, DESCRIBE, SETUP, PLAY, TEARDOWN, GET_PARAMETER"
    var contentBase: String? = ScriptedServer.uri + "/"
    var session = "abc;timeout=20"
    var allowsUDP = true
    var allowsTCP = true
    /// True if datagrams reach the viewer.
    var deliversUDP = true
    /// Returns a response that replaces the regular one.
    var override: ((RTSPRequest) -> RTSPResponse?)?
    /// The credentials required for every request but OPTIONS.
    var credentials: (user: String, password: String)?
    var challenge = DigestChallenge(realm: "cam", nonce: "n1", algorithm: .sha256)
    /// The number of responses after which the nonce is stale.
    var nonceLasts = Int.max

    /// The status that rejects the sound's SETUP; `nil` accepts it.
    var soundRefusal: RTSPStatus?

    private(set) var requests: [RTSPRequest] = []
    private var interleaved: [(channel: UInt8, bytes: [UInt8])] = []
    private(set) var isPlaying = false
    private(set) var isInterleaved = false
    private(set) var nonceUses = 0
    private var parser = RTSPParser()

    var methodsSeen: [String] { requests.map(\.method.rawValue) }

    /// Accepts a new connection.
    func accept() {
        parser = RTSPParser()
        isPlaying = false
    }

    func receive(_ bytes: [UInt8]) -> [[UInt8]] {
        parser.append(bytes)
        var answers: [[UInt8]] = []
        while let message = try? parser.next() {
            switch message {
            case .request(let request):
                requests.append(request)
                var response = answer(request)
                response.headers["CSeq"] = response.headers["CSeq"] ?? request.headers["CSeq"]
                answers.append(response.serialised())
            case .interleaved(let channel, let bytes): interleaved.append((channel, bytes))
            case .response: break
            }
        }
        return answers
    }

    /// Returns the next interleaved frame received on the connection.
    func takeInterleaved() -> (channel: UInt8, bytes: [UInt8])? {
        interleaved.isEmpty ? nil : interleaved.removeFirst()
    }

    private func answer(_ request: RTSPRequest) -> RTSPResponse {
        if let response = override?(request) { return response }
        if request.method != .options, let refusal = refusal(request) { return refusal }
        switch request.method {
        case .options: return RTSPResponse(.ok, headers: ["Public": methods])
        case .describe:
            var headers: RTSPHeaders = ["Content-Type": "application/sdp"]
            headers["Content-Base"] = contentBase
            return RTSPResponse(.ok, headers: headers, body: Array(description.utf8))
        case .setup: return setUp(request)
        case .play: isPlaying = true
        case .teardown: isPlaying = false
        default: break
        }
        return RTSPResponse(.ok)
    }

    private func setUp(_ request: RTSPRequest) -> RTSPResponse {
        let isSound = request.uri.hasSuffix("/track0") || request.uri.hasSuffix("/audio")
        if isSound, let soundRefusal { return RTSPResponse(soundRefusal) }
        let wanted = request.headers["Transport"].flatMap(TransportHeader.list)?.first
        isInterleaved = wanted?.interleaved != nil
        guard isInterleaved ? allowsTCP : allowsUDP else { return RTSPResponse(.unsupportedTransport) }
        let answer =
            isInterleaved
            ? "RTP/AVP/TCP;unicast;interleaved=\(isSound ? "4-5" : "2-3");ssrc=00000007"
            : isSound
                ? "RTP/AVP;unicast;client_port=5002-5003;server_port=6002-6003"
                : "RTP/AVP;unicast;client_port=5000-5001;server_port=6000-6001;source=10.0.0.1;ssrc=decimal4294967295"
        return RTSPResponse(.ok, headers: ["Transport": answer, "Session": session])
    }

    private func refusal(_ request: RTSPRequest) -> RTSPResponse? {
        guard let credentials else { return nil }
        if let answer = request.headers["Authorization"].flatMap({ DigestCredentials($0) }),
            answer.nonce == challenge.nonce, answer.uri == request.uri, answer.username == credentials.user,
            isRight(answer, request.method, credentials.password)
        {
            nonceUses += 1
            if nonceUses <= nonceLasts { return nil }
            nonceUses = 0
            challenge.nonce += "+"
            challenge.isStale = true
        }
        return RTSPResponse(.unauthorized, headers: ["WWW-Authenticate": challenge.value])
    }

    private func isRight(_ answer: DigestCredentials, _ method: RTSPMethod, _ password: String) -> Bool {
        let wanted = DigestResponse(
            algorithm: challenge.algorithm == .sha256 ? .sha256 : .md5, username: answer.username,
            realm: challenge.realm, password: SecretBytes(Array(password.utf8)), nonce: challenge.nonce,
            quality: answer.quality.map { .init(nonceCount: $0.count, clientNonce: $0.clientNonce) })
        return
            (try? wanted.matches(answer.response, method: method.rawValue, uri: answer.uri, crypto: OpenSSLCrypto()))
            == true
    }
}
