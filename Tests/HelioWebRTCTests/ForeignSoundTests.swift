import ForeignPeers
import HelioCore
import HelioTestLanes
import HelioWebRTC
import Testing

/// A tone arrives with the right pitch, level and delay, in both directions, with third-party stacks.
@Suite("Sound with other stacks", .serialized, .timeLimit(.minutes(3)), .tags(.quiet))
struct ForeignSoundTests {
    private static let stacks = ForeignPeer.Kind.allCases.flatMap { kind in [(kind, true), (kind, false)] }

    /// Returns the Opus format parameters in a description.
    private func opus(_ description: String) throws -> Set<Substring> {
        let lines = description.split(separator: "\r\n")
        let map = try #require(lines.first { $0.hasPrefix("a=rtpmap:") && $0.lowercased().contains(" opus/48000/2") })
        let number = map.dropFirst(9).prefix { $0 != " " }
        let line = try #require(lines.first { $0.hasPrefix("a=fmtp:\(number) ") })
        return Set(line.dropFirst(8 + number.count).split { $0 == ";" || $0 == " " })
    }

    @Test("alone, by an offer of either end, in stereo", arguments: stacks)
    func alone(_ kind: ForeignPeer.Kind, weOffer: Bool) async throws {
        let talk = try await ForeignTalk(kind, weOffer: weOffer, hasPicture: false)
        try await talk.connect()
        let ours = try opus(try #require(await talk.peer.localDescription()))
        #expect(ours.isSuperset(of: ["stereo=1", "sprop-stereo=1", "useinbandfec=1"]))
        try await talk.beHeard()
        try await talk.hearTone()
        let statistics = await talk.peer.statistics()
        #expect(talk.lostPackets == 0, "\(talk.told); \(statistics)")
        try await talk.stop()
    }

    @Test("beside a picture in one connection", arguments: stacks)
    func besideAPicture(_ kind: ForeignPeer.Kind, weOffer: Bool) async throws {
        let talk = try await ForeignTalk(kind, weOffer: weOffer, hasPicture: true)
        try await talk.connect()
        try await talk.beHeard()
        try await talk.hearTone()
        let frames = try await talk.foreign.next("frames") { ($0.count ?? 0) > 20 }
        #expect(frames.width == 320 && frames.height == 240)
        let statistics = await talk.peer.statistics()
        #expect(talk.lostPackets == 0, "\(talk.told); \(statistics)")
        try await talk.stop()
    }

    /// The milliseconds by which Chromium may let picture and sound differ: its synchronization ignores averages below
    /// 30 (`kMinDeltaMs` of libwebrtc's `video/stream_synchronization.cc`), and its statistics are single measurements,
    /// a few milliseconds off that average.
    private static let tolerance = 35.0

    @Test(
        "picture and sound of one stream are played in step", arguments: [ForeignPeer.Kind.chromium])
    func inStep(_ kind: ForeignPeer.Kind) async throws {
        let talk = try await ForeignTalk(kind, weOffer: true, hasPicture: true)
        try await talk.connect()
        var offsets: [Double] = []
        var isInStep: Bool { offsets.count >= 3 && offsets.suffix(3).allSatisfy { abs($0) <= Self.tolerance } }
        // The receiver approaches it in steps, about one a second.
        repeat {
            try await talk.foreign.next("sound")
            if let offset = try await talk.theirStatistics().playoutOffset { offsets.append(offset) }
        } while offsets.count < 30 && !isInStep
        #expect(isInStep, "\(offsets)")
        try await talk.stop()
    }
}
