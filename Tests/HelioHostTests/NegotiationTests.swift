import HelioCore
import HelioHost
import HelioMedia
import HelioProtection
import HelioSimulation
import Testing

@testable import HelioSession

@Suite("Negotiation: what a source and its sinks agree on")
struct NegotiationTests {
    static let wanted = VideoFormat(
        codec: .h265, size: PixelSize(width: 1920, height: 1080), framesPerSecond: 60, bitrate: .megabits(8),
        chroma: .yuv444)

    @Test("without a wish of the sinks all is as the source wants it, and nothing is to be told")
    func nothingToDecide() throws {
        for sinks in [[], [StreamCapabilities()], [StreamCapabilities(), StreamCapabilities()]] {
            let agreement = try #require(
                StreamAgreement(wanted: Self.wanted, codecs: [.h265, .h264], sinks: sinks))
            #expect(agreement == StreamAgreement(wanted: Self.wanted, codecs: [.h265, .h264], sinks: []))
            #expect(agreement.format == Self.wanted)
            #expect(agreement.reasons.isEmpty)
        }
    }

    @Test("the codec is the intersection, numbers are the least of all, and each has its reason (row 30)")
    func intersectionAndMinimum() throws {
        let old = StreamCapabilities(codecs: [.h264], framesPerSecond: 90, bitrate: .megabits(20))
        let slow = StreamCapabilities(
            codecs: [.h265, .h264], framesPerSecond: 30, bitrate: .megabits(3), takesFullChroma: false)
        let agreement = try #require(
            StreamAgreement(wanted: Self.wanted, codecs: [.h265, .h264], sinks: [old, slow]))
        #expect(agreement.format.codec == .h264)
        #expect(agreement.format.framesPerSecond == 30)
        #expect(agreement.format.bitrate == .megabits(3))
        #expect(agreement.format.chroma == .yuv420)
        #expect(agreement.format.size == Self.wanted.size)
        #expect(agreement.reasons.count == 4)
        let alone = try #require(StreamAgreement(wanted: Self.wanted, codecs: [.h265, .h264], sinks: [old]))
        #expect(alone.format.framesPerSecond == 60, "a sink that takes more gets no more than is wanted")
        #expect(alone.format.bitrate == .megabits(8))
    }

    @Test("the source's order decides between codecs that all decode, and without a common one there is nothing")
    func order() {
        let any = StreamCapabilities(codecs: [.h264, .h265])
        #expect(StreamAgreement(wanted: Self.wanted, codecs: [.h265, .h264], sinks: [any])?.format.codec == .h265)
        let modern = StreamCapabilities(codecs: [.h265])
        let old = StreamCapabilities(codecs: [.h264])
        #expect(StreamAgreement(wanted: Self.wanted, codecs: [.h264], sinks: [modern]) == nil)
        #expect(StreamAgreement(wanted: Self.wanted, codecs: [.h265, .h264], sinks: [modern, old]) == nil)
    }

    @Test("the picture is made small enough for every sink, keeps its shape, and says why (row 30)")
    func size() throws {
        let narrow = StreamCapabilities(largest: PixelSize(width: 1280, height: 1080))
        let large = StreamCapabilities(largest: PixelSize(width: 3840, height: 2160))
        let agreement = try #require(StreamAgreement(wanted: Self.wanted, codecs: [.h265], sinks: [large, narrow]))
        var format = Self.wanted
        format.size = PixelSize(width: 1280, height: 720)
        #expect(agreement.format == format)
        #expect(agreement.largest == PixelSize(width: 1280, height: 1080))
        #expect(agreement.reasons == ["1280x720, not 1920x1080, as a viewer takes at most 1280x1080"])

        let low = StreamCapabilities(largest: PixelSize(width: 1920, height: 480))
        let both = try #require(StreamAgreement(wanted: Self.wanted, codecs: [.h265], sinks: [narrow, low]))
        #expect(both.largest == PixelSize(width: 1280, height: 480), "each side has its own least")
        #expect(both.format.size == PixelSize(width: 854, height: 480))

        let enough = try #require(StreamAgreement(wanted: Self.wanted, codecs: [.h265], sinks: [large]))
        #expect(enough.format == Self.wanted, "nothing is made larger")
        #expect(enough.reasons.isEmpty)
    }

    @Test("a screen that changes its size is agreed on anew, and fits as long as the sink is there")
    func screenChange() throws {
        var world = SessionWorld(capabilities: StreamCapabilities(largest: PixelSize(width: 320, height: 320)))
        try world.run(.seconds(1))
        world.host.resize(to: PixelSize(width: 1000, height: 2000), now: world.now)
        try world.run(.seconds(1))
        world.viewer.leave(now: world.now)
        try world.run(.seconds(1))
        let sizes = world.host.events.compactMap { event -> PixelSize? in
            if case .agreed(let agreement) = event { agreement.format.size } else { nil }
        }
        #expect(sizes.dropFirst() == [PixelSize(width: 160, height: 320), PixelSize(width: 1000, height: 2000)])
        #expect(sizes.first == VideoFormat.test.size.fitted(within: PixelSize(width: 320, height: 320)))
        #expect(world.viewer.ended == nil)
    }

    @Test("H.265 is taken where the source and all sinks have it in hardware, and H.264 elsewhere (row 4)")
    func hardware() throws {
        var wanted = Self.wanted
        wanted.codec = .h264
        (wanted.profile, wanted.level) = (100, 42)
        func agreed(_ hardware: VideoCodec?, _ sinks: StreamCapabilities...) throws -> StreamAgreement {
            try #require(
                StreamAgreement(wanted: wanted, codecs: [.h264, .h265], hardware: hardware, sinks: sinks))
        }
        let any = StreamCapabilities()
        let fast = StreamCapabilities(hardware: [.h265])
        #expect(try agreed(.h265, fast, fast).format.codec == .h265)
        #expect(try agreed(.h265, fast).reasons == ["H265, by hardware at both ends"])
        #expect(try agreed(.h265, fast).format.profile == nil, "it was one of H.264")
        #expect(try agreed(.h265, fast, any).format == wanted)
        #expect(try agreed(nil, fast).format == wanted)
        #expect(try agreed(.h265).format == wanted, "nobody watches")
        let modern = StreamCapabilities(codecs: [.h265])
        #expect(try agreed(.h265, fast, modern).format.codec == .h265, "there is no other")
    }

    @Test("hardware that fails is taken back: the stream goes on in the other codec")
    func hardwareFails() throws {
        var format = VideoFormat.test
        format.codec = .h264
        let world = GuestWorld(format: format, codecs: [.h264, .h265], hardwareCodec: .h265)
        _ = try world.watch(StreamCapabilities(hardware: [.h265]))
        #expect(world.takeAgreements().map(\.format.codec) == [.h265])
        world.tell(.hardwareFailed)
        #expect(world.takeAgreements().map(\.format.codec) == [.h264])
        world.tell(.hardwareFailed)
        #expect(world.takeAgreements().isEmpty)
    }

    @Test("the offer tells what was agreed on, and a message what has become of it (row 31)")
    func terms() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        let format = try #require(world.viewer.format)
        #expect(format.bitrate == .megabits(20) && format.framesPerSecond == 60)
        var told = VideoFormat.test
        (told.profile, told.level, told.framesPerSecond, told.bitrate) = (100, 42, 24, .kilobits(10))
        var generator = SeededGenerator(seed: 1)
        let offer = StreamOffer(
            format: told, mediaKey: SRTPMasterKey(profile: StreamOffer.profile, using: &generator),
            controlKey: SealedKey(using: &generator), allowsControl: true)
        let read = try #require(StreamOffer(offer.sessionDescription(id: 1)))
        #expect(read.format == told && read.coded == told.bitrate && read.codedFramesPerSecond == 24)
        #expect(read.hostName == nil)
    }

    @Test(
        "the offer has the host's name, without what could mislead",
        arguments: [(nil, nil), ("Ann's tower", "Ann's tower"), ("a\u{202E}b", "ab"), ("Büro 2", "Büro 2")]
            as [(String?, String?)]
    )
    func hostName(name: String?, shown: String?) throws {
        var generator = SeededGenerator(seed: 1)
        var offer = StreamOffer(
            format: .test, mediaKey: SRTPMasterKey(profile: StreamOffer.profile, using: &generator),
            controlKey: SealedKey(using: &generator), allowsControl: true)
        offer.hostName = name
        let read = try #require(StreamOffer(offer.sessionDescription(id: 1)))
        #expect(read.hostName == shown)
    }

    @Test("viewers are told the frame rate that is coded for, where that is less than the agreed one (row 6)")
    func codedRate() throws {
        var world = SessionWorld()
        try world.run(.seconds(1))
        #expect(world.viewer.session.statistics.codedFramesPerSecond == 60)
        var slow = VideoFormat.test
        slow.framesPerSecond = 15
        world.host.host.handle(.format(slow), now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.session.statistics.codedFramesPerSecond == 15)
        #expect(world.viewer.format?.framesPerSecond == 60)
        world.host.host.handle(.format(.test), now: world.now)
        try world.run(.seconds(1))
        #expect(world.viewer.session.statistics.codedFramesPerSecond == 60)
        var generator = SeededGenerator(seed: 1)
        let offer = StreamOffer(
            format: .test, codedFramesPerSecond: 10,
            mediaKey: SRTPMasterKey(profile: StreamOffer.profile, using: &generator),
            controlKey: SealedKey(using: &generator), allowsControl: true)
        let read = try #require(StreamOffer(offer.sessionDescription(id: 1)))
        #expect(read.codedFramesPerSecond == 10 && read.format.framesPerSecond == 60)
    }

    @Test(
        "without adaptation the agreed bitrate is coded, whatever the paths carry (row 18)", arguments: [true, false])
    func adaptation(isOn: Bool) throws {
        var world = SessionWorld(LinkConditions(delay: .milliseconds(20), rate: .megabits(1)), adaptsBitrate: isOn)
        try world.run(.seconds(10))
        #expect(world.host.bitrates.isEmpty != isOn)
        #expect((world.host.host.statistics.bitrate < .megabits(20)) == isOn)
        #expect(world.host.host.statistics.agreedBitrate == .megabits(20))
    }

    @Test(
        "malformed terms are refused, and what is unknown in them is passed over",
        arguments: [
            "", "fps=60", "bitrate=8000000", "fps=0;bitrate=8000000", "fps=60;bitrate=0", "fps=60;bitrate=x",
            "fps=60;bitrate=8000000;now=-1", "fps=60;bitrate=8000000;level=256", "fps=60;bitrate=8000000;profile=",
            "fps=60;bitrate=99999999999999999999", "fps", "fps=60;bitrate=8000000;now-fps=0",
            "fps=60;bitrate=8000000;now-fps=1001",
        ])
    func malformedTerms(_ text: String) {
        #expect(StreamTerms(body: Array(text.utf8)) == nil)
        #expect(StreamTerms(body: Array("fps=60;bitrate=8000000;mood=good".utf8))?.coded == .megabits(8))
        #expect(StreamTerms(body: Array("fps=60;bitrate=8000000;now=9000000".utf8))?.coded == .megabits(8))
        #expect(StreamTerms(body: Array("fps=30;bitrate=8000000;now-fps=60".utf8))?.codedFramesPerSecond == 30)
        #expect(
            StreamTerms(body: Array(String(repeating: "x=1;", count: 99).utf8) + Array("fps=60;bitrate=8000000".utf8))
                == nil)
    }

    @Test(
        "capabilities survive the header",
        arguments: [
            StreamCapabilities(),
            StreamCapabilities(codecs: [.h264]),
            StreamCapabilities(
                codecs: [.h265, .h264], largest: PixelSize(width: 1280, height: 720), framesPerSecond: 30,
                bitrate: .megabits(4), takesFullChroma: false),
            StreamCapabilities(codecs: [.h264, .h265], hardware: [.h265]),
            StreamCapabilities(hardware: [.h264, .h265]),
        ])
    func header(_ capabilities: StreamCapabilities) {
        #expect(StreamCapabilities(headerValue: capabilities.headerValue) == capabilities)
    }

    @Test(
        "a malformed header is refused, and what is unknown in it is passed over",
        arguments: [
            "", "codecs", "codecs=", "codecs=av1", "fps=30", "codecs=h264;fps=0", "codecs=h264;fps=x",
            "codecs=h264;size=1920", "codecs=h264;size=9x9", "codecs=h264;size=1x2x3", "codecs=h264;bitrate=-1",
            "codecs=h264;bitrate=99999999999999999999",
        ])
    func malformed(_ value: String) {
        #expect(StreamCapabilities(headerValue: value) == nil)
        #expect(StreamCapabilities(headerValue: "codecs=av1,h264;colour=blue")?.codecs == [.h264])
    }

    @Test("a sink that decodes nothing of what the host codes is told so, and others don't notice")
    func noCommonCodec() throws {
        var world = SessionWorld(capabilities: StreamCapabilities(codecs: [.h265]))
        try world.run(.seconds(1))
        #expect(world.viewer.ended?.code == .unsupported)
        #expect(!world.viewer.isPlaying)
    }

    @Test("what is agreed on is told once, with the reason, and taken back when the sink is gone")
    func agreed() throws {
        var world = SessionWorld(capabilities: StreamCapabilities(codecs: [.h264], framesPerSecond: 24))
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying)
        world.viewer.leave(now: world.now)
        try world.run(.seconds(1))
        let agreements = world.host.events.compactMap { event -> StreamAgreement? in
            if case .agreed(let agreement) = event { agreement } else { nil }
        }
        #expect(agreements.map(\.format.framesPerSecond) == [24, 60])
        #expect(agreements.map(\.reasons.count) == [1, 0])
    }

    @Test("the codec changes while the session goes on, whatever the network does", arguments: [0, 0.02, 0.1])
    func codecChange(loss: Double) throws {
        var world = SessionWorld(.lossy(loss), seed: 5)
        try world.run(.seconds(1))
        for codec in [VideoCodec.h265, .h264, .h265] {
            var format = VideoFormat.test
            format.codec = codec
            world.host.encoder.codec = codec
            world.host.change(to: format, now: world.now)
            let before = world.viewer.frames
            try world.run(.seconds(2))
            #expect(world.viewer.lastCodec == codec)
            #expect(world.viewer.frames > before + 30)
        }
        #expect(world.viewer.ended == nil)
        #expect(world.viewer.broken == 0)
    }
}
