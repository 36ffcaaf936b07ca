import HelioPeer
import HelioSDP

/// Descriptions in the form of other stacks, with invented numbers and names.
enum Descriptions {
    static let fingerprint = "sha-256 " + Array(repeating: "5C", count: 32).joined(separator: ":")

    static func session(_ text: String) throws -> SessionDescription {
        let lines = text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
        return try SessionDescription(parsing: Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
    }

    /// Parses a description with one line replaced, to make hostile input.
    static func session(_ text: String, replacing line: String, with other: String) throws -> SessionDescription {
        precondition(text.contains(line), "there is no such line")
        return try session(text.replacing(line, with: other))
    }

    /// Chromium, receiving video and sending audio: VP8 first, several H.264 profiles, RTX, RED, FEC, credentials in
    /// each section, trickled candidates.
    static let chromium = """
        v=0
        o=- 4611731400430051336 2 IN IP4 127.0.0.1
        s=-
        t=0 0
        a=group:BUNDLE 0 1 2
        a=extmap-allow-mixed
        a=msid-semantic: WMS
        m=video 9 UDP/TLS/RTP/SAVPF 96 97 102 103 104 105 106 107 127 125 39 40 112 113 35 36 114 115 116
        c=IN IP4 0.0.0.0
        a=rtcp:9 IN IP4 0.0.0.0
        a=ice-ufrag:CrUf
        a=ice-pwd:chromiumPasswordOf24Char
        a=ice-options:trickle
        a=fingerprint:\(fingerprint)
        a=setup:actpass
        a=mid:0
        a=extmap:1 urn:ietf:params:rtp-hdrext:toffset
        a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
        a=extmap:3 urn:3gpp:video-orientation
        a=extmap:4 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
        a=extmap:5 http://www.webrtc.org/experiments/rtp-hdrext/playout-delay
        a=extmap:6 http://www.webrtc.org/experiments/rtp-hdrext/video-content-type
        a=extmap:9 urn:ietf:params:rtp-hdrext:sdes:mid
        a=extmap:10 urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id
        a=recvonly
        a=rtcp-mux
        a=rtcp-rsize
        a=rtpmap:96 VP8/90000
        a=rtcp-fb:96 goog-remb
        a=rtcp-fb:96 transport-cc
        a=rtcp-fb:96 ccm fir
        a=rtcp-fb:96 nack
        a=rtcp-fb:96 nack pli
        a=rtpmap:97 rtx/90000
        a=fmtp:97 apt=96
        a=rtpmap:102 H264/90000
        a=rtcp-fb:102 goog-remb
        a=rtcp-fb:102 transport-cc
        a=rtcp-fb:102 ccm fir
        a=rtcp-fb:102 nack
        a=rtcp-fb:102 nack pli
        a=fmtp:102 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f
        a=rtpmap:103 rtx/90000
        a=fmtp:103 apt=102
        a=rtpmap:104 H264/90000
        a=fmtp:104 level-asymmetry-allowed=1;packetization-mode=0;profile-level-id=42e01f
        a=rtpmap:105 rtx/90000
        a=fmtp:105 apt=104
        a=rtpmap:106 H264/90000
        a=rtcp-fb:106 goog-remb
        a=rtcp-fb:106 transport-cc
        a=rtcp-fb:106 ccm fir
        a=rtcp-fb:106 nack
        a=rtcp-fb:106 nack pli
        a=fmtp:106 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f
        a=rtpmap:107 rtx/90000
        a=fmtp:107 apt=106
        a=rtpmap:127 H264/90000
        a=rtcp-fb:127 nack
        a=rtcp-fb:127 nack pli
        a=fmtp:127 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=4d001f
        a=rtpmap:125 rtx/90000
        a=fmtp:125 apt=127
        a=rtpmap:39 H264/90000
        a=rtcp-fb:39 nack
        a=rtcp-fb:39 nack pli
        a=fmtp:39 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=f4001f
        a=rtpmap:40 rtx/90000
        a=fmtp:40 apt=39
        a=rtpmap:112 H264/90000
        a=fmtp:112 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=64001f
        a=rtpmap:113 rtx/90000
        a=fmtp:113 apt=112
        a=rtpmap:35 AV1/90000
        a=fmtp:35 level-idx=5;profile=0;tier=0
        a=rtpmap:36 rtx/90000
        a=fmtp:36 apt=35
        a=rtpmap:114 red/90000
        a=rtpmap:115 rtx/90000
        a=fmtp:115 apt=114
        a=rtpmap:116 ulpfec/90000
        m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126
        c=IN IP4 0.0.0.0
        a=rtcp:9 IN IP4 0.0.0.0
        a=ice-ufrag:CrUf
        a=ice-pwd:chromiumPasswordOf24Char
        a=ice-options:trickle
        a=fingerprint:\(fingerprint)
        a=setup:actpass
        a=mid:1
        a=extmap:14 urn:ietf:params:rtp-hdrext:ssrc-audio-level
        a=extmap:2 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
        a=extmap:4 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
        a=extmap:9 urn:ietf:params:rtp-hdrext:sdes:mid
        a=sendrecv
        a=msid:- 4c7f0b3a-microphone
        a=rtcp-mux
        a=rtcp-rsize
        a=rtpmap:111 opus/48000/2
        a=rtcp-fb:111 transport-cc
        a=fmtp:111 minptime=10;useinbandfec=1
        a=rtpmap:63 red/48000/2
        a=fmtp:63 111/111
        a=rtpmap:9 G722/8000
        a=rtpmap:0 PCMU/8000
        a=rtpmap:8 PCMA/8000
        a=rtpmap:13 CN/8000
        a=rtpmap:110 telephone-event/48000
        a=rtpmap:126 telephone-event/8000
        a=ssrc:3735928559 cname:nobodyKnows
        a=ssrc:3735928559 msid:- 4c7f0b3a-microphone
        m=application 9 UDP/DTLS/SCTP webrtc-datachannel
        c=IN IP4 0.0.0.0
        a=ice-ufrag:CrUf
        a=ice-pwd:chromiumPasswordOf24Char
        a=ice-options:trickle
        a=fingerprint:\(fingerprint)
        a=setup:actpass
        a=mid:2
        a=sctp-port:5000
        a=max-message-size:262144
        """

    /// Firefox: common attributes at session level; audio first; `extmap` with directions; both packetization modes of
    /// Constrained Baseline.
    static let firefox = """
        v=0
        o=mozilla...THIS_IS_SDPARTA-99.0 5417738629813462290 0 IN IP4 0.0.0.0
        s=-
        t=0 0
        a=fingerprint:\(fingerprint.uppercased().replacing("SHA", with: "sha"))
        a=group:BUNDLE 0 1 2
        a=ice-options:trickle
        a=msid-semantic:WMS *
        m=audio 9 UDP/TLS/RTP/SAVPF 109 9 0 8 101
        c=IN IP4 0.0.0.0
        a=sendrecv
        a=extmap:1 urn:ietf:params:rtp-hdrext:ssrc-audio-level
        a=extmap:2/recvonly urn:ietf:params:rtp-hdrext:csrc-audio-level
        a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid
        a=fmtp:109 maxplaybackrate=48000;stereo=1;useinbandfec=1
        a=fmtp:101 0-15
        a=ice-pwd:f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff
        a=ice-ufrag:8a7b6c5d
        a=mid:0
        a=msid:{4ac1} {7de0}
        a=rtcp-mux
        a=rtpmap:109 opus/48000/2
        a=rtpmap:9 G722/8000/1
        a=rtpmap:0 PCMU/8000
        a=rtpmap:8 PCMA/8000
        a=rtpmap:101 telephone-event/8000/1
        a=setup:actpass
        a=ssrc:1234567890 cname:{aa-bb}
        m=video 9 UDP/TLS/RTP/SAVPF 120 124 121 125 126 127 97 98 123 122 119
        c=IN IP4 0.0.0.0
        a=sendrecv
        a=extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid
        a=extmap:4 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
        a=extmap:5 urn:ietf:params:rtp-hdrext:toffset
        a=extmap:6/recvonly http://www.webrtc.org/experiments/rtp-hdrext/playout-delay
        a=extmap:7 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
        a=fmtp:126 profile-level-id=42e01f;level-asymmetry-allowed=1;packetization-mode=1
        a=fmtp:97 profile-level-id=42e01f;level-asymmetry-allowed=1
        a=fmtp:120 max-fs=12288;max-fr=60
        a=fmtp:124 apt=120
        a=fmtp:121 max-fs=12288;max-fr=60
        a=fmtp:125 apt=121
        a=fmtp:127 apt=126
        a=fmtp:98 apt=97
        a=fmtp:119 apt=122
        a=ice-pwd:f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff
        a=ice-ufrag:8a7b6c5d
        a=mid:1
        a=msid:{4ac1} {9bb2}
        a=rtcp-fb:120 nack
        a=rtcp-fb:126 nack
        a=rtcp-fb:126 nack pli
        a=rtcp-fb:126 ccm fir
        a=rtcp-fb:126 goog-remb
        a=rtcp-fb:126 transport-cc
        a=rtcp-mux
        a=rtcp-rsize
        a=rtpmap:120 VP8/90000
        a=rtpmap:124 rtx/90000
        a=rtpmap:121 VP9/90000
        a=rtpmap:125 rtx/90000
        a=rtpmap:126 H264/90000
        a=rtpmap:127 rtx/90000
        a=rtpmap:97 H264/90000
        a=rtpmap:98 rtx/90000
        a=rtpmap:123 ulpfec/90000
        a=rtpmap:122 red/90000
        a=rtpmap:119 rtx/90000
        a=setup:actpass
        a=ssrc:2222222222 cname:{aa-bb}
        a=ssrc:3333333333 cname:{aa-bb}
        a=ssrc-group:FID 2222222222 3333333333
        m=application 9 UDP/DTLS/SCTP webrtc-datachannel
        c=IN IP4 0.0.0.0
        a=sendrecv
        a=ice-pwd:f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff
        a=ice-ufrag:8a7b6c5d
        a=mid:2
        a=setup:actpass
        a=sctp-port:5000
        a=max-message-size:1073741823
        """

    /// GStreamer's webrtcbin with `bundle-policy=max-bundle`: its own MID names, and the later section bundle-only.
    static let gstreamer = """
        v=0
        o=- 8141279053 0 IN IP4 0.0.0.0
        s=-
        t=0 0
        a=ice-options:trickle
        a=group:BUNDLE video0 application1
        m=video 9 UDP/TLS/RTP/SAVPF 96 97
        c=IN IP4 0.0.0.0
        a=setup:actpass
        a=ice-ufrag:gs7PzQv1mZ0vY4Y7cQ1mZ0vY
        a=ice-pwd:gstreamerPasswordIsLong012345678
        a=rtcp-mux
        a=rtcp-rsize
        a=sendonly
        a=rtpmap:96 H264/90000
        a=rtcp-fb:96 nack
        a=rtcp-fb:96 nack pli
        a=rtcp-fb:96 ccm fir
        a=rtcp-fb:96 transport-cc
        a=framerate:30
        a=fmtp:96 packetization-mode=1;sprop-parameter-sets=Z0LAFNoHgUaEAAADAAQA,aM48gA==;profile-level-id=42c014
        a=rtpmap:97 rtx/90000
        a=fmtp:97 apt=96
        a=extmap:1 http://www.ietf.org/id/draft-holmer-rmcat-transport-wide-cc-extensions-01
        a=ssrc-group:FID 1111 2222
        a=ssrc:1111 msid:user1@host-a webrtctransceiver0
        a=ssrc:1111 cname:user1@host-a
        a=ssrc:2222 cname:user1@host-a
        a=mid:video0
        a=fingerprint:\(fingerprint)
        m=application 0 UDP/DTLS/SCTP webrtc-datachannel
        c=IN IP4 0.0.0.0
        a=setup:actpass
        a=ice-ufrag:gs7PzQv1mZ0vY4Y7cQ1mZ0vY
        a=ice-pwd:gstreamerPasswordIsLong012345678
        a=bundle-only
        a=mid:application1
        a=sctp-port:5000
        a=fingerprint:\(fingerprint)
        """

    /// aiortc: all candidates included, a fingerprint for each hash function, both packetization modes of H.264, no
    /// `rtcp-rsize`.
    static let aiortc = """
        v=0
        o=- 3890000001 3890000001 IN IP4 0.0.0.0
        s=-
        t=0 0
        a=group:BUNDLE 0 1
        a=msid-semantic:WMS *
        m=video 50101 UDP/TLS/RTP/SAVPF 97 98 99 100 101 102
        c=IN IP4 192.0.2.7
        a=sendrecv
        a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid
        a=extmap:3 http://www.webrtc.org/experiments/rtp-hdrext/abs-send-time
        a=mid:0
        a=msid:3c1f-stream 9d22-track
        a=rtcp:9 IN IP4 0.0.0.0
        a=rtcp-mux
        a=ssrc-group:FID 4000000001 4000000002
        a=ssrc:4000000001 cname:ai-cname
        a=ssrc:4000000002 cname:ai-cname
        a=rtpmap:97 VP8/90000
        a=rtcp-fb:97 nack
        a=rtcp-fb:97 nack pli
        a=rtcp-fb:97 goog-remb
        a=rtpmap:98 rtx/90000
        a=fmtp:98 apt=97
        a=rtpmap:99 H264/90000
        a=rtcp-fb:99 nack
        a=rtcp-fb:99 nack pli
        a=rtcp-fb:99 goog-remb
        a=fmtp:99 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42001f
        a=rtpmap:100 rtx/90000
        a=fmtp:100 apt=99
        a=rtpmap:101 H264/90000
        a=rtcp-fb:101 nack
        a=rtcp-fb:101 nack pli
        a=rtcp-fb:101 goog-remb
        a=fmtp:101 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=42e01f
        a=rtpmap:102 rtx/90000
        a=fmtp:102 apt=101
        a=candidate:1c5f 1 udp 2130706431 192.0.2.7 50101 typ host
        a=candidate:77aa 1 udp 1694498815 203.0.113.9 50101 typ srflx raddr 192.0.2.7 rport 50101
        a=end-of-candidates
        a=ice-ufrag:aiUf
        a=ice-pwd:aiortcPasswordOf22Char
        a=fingerprint:\(fingerprint)
        a=fingerprint:sha-384 \(Array(repeating: "6D", count: 48).joined(separator: ":"))
        a=fingerprint:sha-1 \(Array(repeating: "7E", count: 20).joined(separator: ":"))
        a=setup:actpass
        m=application 50101 UDP/DTLS/SCTP webrtc-datachannel
        c=IN IP4 192.0.2.7
        a=mid:1
        a=sctp-port:5000
        a=max-message-size:65536
        a=candidate:1c5f 1 udp 2130706431 192.0.2.7 50101 typ host
        a=end-of-candidates
        a=ice-ufrag:aiUf
        a=ice-pwd:aiortcPasswordOf22Char
        a=fingerprint:\(fingerprint)
        a=setup:actpass
        """
}
