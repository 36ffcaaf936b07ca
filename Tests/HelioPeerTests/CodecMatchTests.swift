import HelioCore
import HelioPeer
import HelioSDP
import Testing

/// H.265 and VP9, if an app lists them, match only with equal parameters.
struct CodecMatchTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var encoding: String
        var offered: [String: String]
        var listed: [String: String]
        var isSame: Bool
        var testDescription: String { "\(encoding) \(offered) and \(listed)" }
    }

    static let cases = [
        // RFC 7798 section 7.2.2: profile, tier and transmission mode, with their default values.
        Case(encoding: "H265", offered: [:], listed: [:], isSame: true),
        Case(encoding: "H265", offered: ["profile-id": "1", "tx-mode": "SRST"], listed: [:], isSame: true),
        Case(encoding: "H265", offered: ["level-id": "120"], listed: ["level-id": "93"], isSame: true),
        Case(encoding: "H265", offered: ["profile-id": "2"], listed: [:], isSame: false),
        Case(encoding: "H265", offered: ["tier-flag": "1"], listed: [:], isSame: false),
        Case(encoding: "H265", offered: ["tx-mode": "MRST"], listed: [:], isSame: false),
        // RFC 9628 section 6: the profile.
        Case(encoding: "VP9", offered: [:], listed: ["profile-id": "0"], isSame: true),
        Case(encoding: "VP9", offered: ["profile-id": "2"], listed: ["profile-id": "2"], isSame: true),
        Case(encoding: "VP9", offered: ["profile-id": "2"], listed: [:], isSame: false),
        Case(encoding: "vp9", offered: [:], listed: [:], isSame: true),
    ]

    private func peer(_ name: String, _ encoding: String, _ parameters: [String: String]) -> Peer {
        let codec = RTPCodec(
            .video, encoding, clockRate: 90_000,
            parameters: parameters.sorted { $0.key < $1.key }.map { .init($0.key, $0.value) }, isRetransmitted: true)
        return Peer(name, NegotiationConfiguration(sessionID: 1, cname: name, codecs: [codec]))
    }

    @Test(arguments: cases) func profilesAreCompared(_ match: Case) throws {
        var a = peer("alice", match.encoding, match.offered)
        var b = peer("bob", match.encoding.uppercased(), match.listed)
        try a.negotiation.addTrack(.video, a.stream(), receives: false)
        try a.exchange(with: &b)
        let codecs = [a, b].map { $0.negotiation.agreement?.media.first?.codecs.map(\.codec.encoding) }
        #expect(codecs == (match.isSame ? [[match.encoding], [match.encoding.uppercased()]] : [nil, nil]))
        #expect(a.negotiation.agreement?.media.first?.codecs.first?.sendRetransmissionType != nil || !match.isSame)
    }
}
