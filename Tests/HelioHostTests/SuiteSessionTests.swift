import HelioAdmission
import HelioCore
import HelioHost
import HelioMedia
import HelioProtection
import HelioRemote
import HelioSimulation
import Testing

@testable import HelioSession

@Suite("A session under one of the spec's suites (rows 32 to 37)")
struct SuiteSessionTests {
    static let suite = ProtectionSuite(.aes256, .hmacSHA256)

    @Test("chosen by both, it protects picture and control alike", arguments: ProtectionSuite.all)
    func chosenByBoth(_ suite: ProtectionSuite) throws {
        var world = SessionWorld(hostSuite: try .test(suite), viewerSuite: try .test(suite))
        let shapes = WireShapes(suite)
        shapes.watch(world.host)
        try world.run(.seconds(2))
        #expect(world.viewer.isPlaying && world.viewer.frames > 100 && world.viewer.broken == 0)
        world.viewer.send(.pointerMove(x: 0.5, y: 0.5), now: world.now)
        try world.run(.milliseconds(200))
        #expect(!world.host.injected.isEmpty)
        #expect(world.viewer.agreements == [.on(suite, scope: .all, masksKeys: false)])
        #expect(world.host.agreements == world.viewer.agreements)
        #expect(shapes.media.count > 100 && shapes.media.allSatisfy { $0 })
        #expect(shapes.control.count > 5 && shapes.control.allSatisfy { $0 })
        #expect(world.viewer.session.statistics.drops.isEmpty)
    }

    @Test("chosen by one, it is off with the reason, and AES-GCM protects", arguments: [true, false])
    func chosenByOne(isHost: Bool) throws {
        let options = try SuiteOptions.test(Self.suite)
        var world = SessionWorld(hostSuite: isHost ? options : nil, viewerSuite: isHost ? nil : options)
        let shapes = WireShapes(Self.suite)
        shapes.watch(world.host)
        try world.run(.seconds(2))
        #expect(world.viewer.isPlaying && world.viewer.frames > 100)
        #expect(!shapes.media.allSatisfy { $0 } && !shapes.control.allSatisfy { $0 })
        guard case .off(let reason?) = try #require(world.host.agreements.first) else {
            Issue.record("the host must say that it is off")
            return
        }
        #expect(reason.contains(isHost ? "the viewer no suite" : "the host no suite"))
        // Only a viewer that chose a suite gets a report.
        #expect(world.viewer.agreements.count == (isHost ? 0 : 1))
    }

    @Test("chosen by none, nobody says a word")
    func chosenByNone() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying && world.viewer.agreements.isEmpty && world.host.agreements.isEmpty)
    }

    @Test("required by one and not chosen by the other, there is no session", arguments: [true, false])
    func required(isHost: Bool) throws {
        let options = try SuiteOptions.test(Self.suite, isRequired: true)
        var world = SessionWorld(hostSuite: isHost ? options : nil, viewerSuite: isHost ? nil : options)
        let link = world.host.host.linkSecret
        try world.run(.seconds(2))
        #expect(!world.viewer.isPlaying)
        #expect(try #require(world.viewer.ended).code == .refused)
        #expect(try #require(world.viewer.ended).message.contains("requires a suite"))
        #expect(world.host.host.statistics.drops["refused-suite-required"] == 1)
        #expect(world.host.host.linkSecret == link, "the link is good for the next try")
    }

    @Test("another key, vector or authentication key is a refusal that says so, and is counted", arguments: 0..<3)
    func keyDiffers(part: Int) throws {
        let other = try SuiteOptions.test(
            Self.suite, key: part == 0 ? 9 : 1, vector: part == 1 ? 9 : 2, authentication: part == 2 ? 9 : 3)
        var world = SessionWorld(hostSuite: try .test(Self.suite), viewerSuite: other)
        let link = world.host.host.linkSecret
        try world.run(.seconds(2))
        #expect(!world.viewer.isPlaying && world.viewer.frames == 0)
        #expect(try #require(world.viewer.ended).code == .refused)
        #expect(try #require(world.viewer.ended).message.contains("different keys"))
        #expect(world.host.host.statistics.drops["refused-suite-key-differs"] == 1)
        let refusals = world.host.events.compactMap { event -> AdmissionDesk.Refusal? in
            if case .refused(_, let refusal) = event { refusal } else { nil }
        }
        #expect(refusals == [.suiteKeyDiffers])
        #expect(world.host.host.linkSecret == link, "the link is good for the next try")
    }

    @Test(
        "what is out of scope keeps AES-GCM, and no picture is in clear (row 34)",
        arguments: [SuiteScope.video, .command, .audio, [.video, .audio], [.audio, .command]])
    func scope(_ scope: SuiteScope) throws {
        var world = SessionWorld(hostSuite: try .test(Self.suite, scope: scope), viewerSuite: try .test(Self.suite))
        let shapes = WireShapes(Self.suite)
        shapes.watch(world.host)
        try world.run(.seconds(2))
        #expect(world.viewer.isPlaying && world.viewer.frames > 100 && world.viewer.broken == 0)
        #expect(world.viewer.agreements == [.on(Self.suite, scope: scope, masksKeys: false)])
        #expect(shapes.media.allSatisfy { $0 } == scope.contains(.video))
        #expect(shapes.control.allSatisfy { $0 } == scope.contains(.command))
        var encoder = TestEncoder(seed: 7)
        let slices = encoder.frame(keyframe: true, now: .zero)
        #expect(slices.allSatisfy { WireShapes.showsPicture($0.annexB) })
        #expect(shapes.media.count > 100 && shapes.clear == 0)
    }

    @Test("a lossy path costs no more than without: what is sent again is the same packet")
    func loss() throws {
        for seed in UInt64(1)...3 {
            var world = SessionWorld(
                .lossy5, seed: seed, hostSuite: try .test(Self.suite), viewerSuite: try .test(Self.suite))
            try world.run(.seconds(10))
            #expect(world.viewer.isPlaying && world.viewer.broken == 0)
            #expect(Double(world.viewer.frames) >= Double(world.host.encoder.nextIndex) * 0.95, "seed \(seed)")
            let drops = world.viewer.session.statistics.drops
            #expect(drops["srtp-authentication-failed"] == nil, "\(drops)")
        }
    }

    @Test("a packet that was changed on its way is a counted drop, by name, and the picture goes on")
    func forgedPackets() throws {
        var world = SessionWorld(hostSuite: try .test(Self.suite), viewerSuite: try .test(Self.suite))
        var sample: [UInt8]?
        world.host.tap = { tag, bytes in if tag == HostPeer.mediaTag, bytes.count > 500 { sample = bytes } }
        try world.run(.seconds(1))
        var forged = try #require(sample)
        forged[2] &+= 1
        for bit in 0..<64 {
            var packet = forged
            packet[packet.count - 1 - bit / 8] ^= 1 << UInt8(bit % 8)
            world.viewer.receive([HostPeer.mediaTag] + packet, now: world.now)
        }
        #expect(world.viewer.session.statistics.drops["srtp-authentication-failed"] == 64)
        let before = world.viewer.frames
        try world.run(.seconds(1))
        #expect(world.viewer.frames > before + 50 && world.viewer.broken == 0)
    }

    @Test("keys are masked where both ends mask (row 35), and the session is the same")
    func mask() throws {
        for (host, viewer) in [(true, true), (true, false), (false, true)] {
            var world = SessionWorld(
                hostSuite: try .test(Self.suite, masksKeys: host), viewerSuite: try .test(Self.suite, masksKeys: viewer)
            )
            try world.run(.seconds(1))
            #expect(world.viewer.isPlaying && world.viewer.frames > 30)
            #expect(world.viewer.agreements == [.on(Self.suite, scope: .all, masksKeys: host && viewer)])
        }
    }
}

/// Recognises by size whether a host's datagrams use a suite: whole blocks with IV and tag behind the header. Also
/// counts those in which the picture is readable.
private final class WireShapes {
    private(set) var media: [Bool] = []
    private(set) var control: [Bool] = []
    /// The number of media packets with the coded picture in clear text.
    private(set) var clear = 0
    private let suite: ProtectionSuite

    init(_ suite: ProtectionSuite) { self.suite = suite }

    func watch(_ host: HostPeer) {
        host.tap = { [self] tag, bytes in
            if tag == HostPeer.controlTag {
                control.append(isWhole(bytes.count - 12))
            } else if bytes[1] >= 192, bytes[1] <= 223 {
                media.append(isWhole(bytes.count - 8 - 4))
            } else {
                let words = bytes[0] & 0x10 == 0 ? -1 : Int(bytes[14]) << 8 | Int(bytes[15])
                media.append(isWhole(bytes.count - 12 - 4 * (words + 1)))
                if Self.showsPicture(bytes.dropFirst(12 + 4 * (words + 1))) { clear += 1 }
            }
        }
    }

    /// True if the bytes contain a slice of the test encoder, which is one byte repeated.
    static func showsPicture(_ bytes: some Collection<UInt8>) -> Bool {
        var run = 1
        for (byte, next) in zip(bytes, bytes.dropFirst()) {
            run = byte == next ? run + 1 : 1
            if run == 16 { return true }
        }
        return false
    }

    private func isWhole(_ count: Int) -> Bool {
        let text = count - 16 - suite.integrity.tagLength
        return text >= 16 && text % 16 == 0
    }
}

extension HostPeer {
    var agreements: [SuiteAgreement] {
        events.compactMap { if case .suite(let agreement, _) = $0 { agreement } else { nil } }
    }
}

extension SuiteOptions {
    static func test(
        _ suite: ProtectionSuite, scope: SuiteScope = .all, masksKeys: Bool = false, isRequired: Bool = false,
        key: UInt8 = 1, vector: UInt8 = 2, authentication: UInt8 = 3
    ) throws -> SuiteOptions {
        func bytes(_ byte: UInt8, _ count: Int) -> SecretBytes { SecretBytes(Array(repeating: byte, count: count)) }
        let secret = SuiteSecret(
            for: suite.cipher, key: bytes(key, suite.cipher.keyLength), vector: bytes(vector, 16),
            authenticationKey: bytes(authentication, 32))
        return SuiteOptions(
            SuiteChoice(suite, scope: scope, masksKeys: masksKeys, isRequired: isRequired),
            secret: try #require(secret))
    }
}
