import HelioCore
import HelioSDP
import Testing

struct SoundDescriptionTests {
    private func section(_ lines: [String]) throws -> MediaSection {
        let head = ["v=0", "o=- 1 1 IN IP4 192.0.2.1", "s=-", "t=0 0"]
        let text = (head + lines).map { $0 + "\r\n" }.joined()
        let parsed = try SessionDescription(parsing: Array(text.utf8))
        return try #require(parsed.media.first)
    }

    private func sounds(_ lines: String...) throws -> [SoundDescription] { try section(lines).sounds }

    /// The codec lines of Chromium 120's audio offer.
    @Test func aBrowsersOffer() throws {
        let media = try section([
            "m=audio 9 UDP/TLS/RTP/SAVPF 111 63 9 0 8 13 110 126", "a=rtpmap:111 opus/48000/2",
            "a=rtcp-fb:111 transport-cc", "a=fmtp:111 minptime=10;useinbandfec=1", "a=rtpmap:63 red/48000/2",
            "a=fmtp:63 111/111", "a=rtpmap:9 G722/8000", "a=rtpmap:0 PCMU/8000", "a=rtpmap:8 PCMA/8000",
            "a=rtpmap:13 CN/8000", "a=rtpmap:110 telephone-event/48000", "a=rtpmap:126 telephone-event/8000",
        ])
        #expect(
            media.sounds == [
                .opus(PayloadType(111), .init(usesInBandFEC: true, minimumPacketMilliseconds: 10)),
                SoundDescription(PayloadType(0), clockRate: 8000, channels: 1, .muLaw),
                SoundDescription(PayloadType(8), clockRate: 8000, channels: 1, .aLaw),
            ])
        let red = try #require(media.attributes.formatParameters(for: PayloadType(63)))
        let redundancy = try #require(RedundancyParameters(red))
        #expect(redundancy.payloadTypes == [PayloadType(111), PayloadType(111)])
        #expect(redundancy.parameters == red.parameters)
    }

    /// The AAC descriptions of FFmpeg 5.1.9, of GStreamer 1.22's `rtpmp4gpay`, and of cameras, which vary in case.
    @Test func aac() throws {
        let fromFFmpeg = try sounds(
            "m=audio 0 RTP/AVP 97", "a=rtpmap:97 MPEG4-GENERIC/48000/2",
            "a=fmtp:97 profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3; config=119056E500"
        )
        #expect(
            fromFFmpeg == [
                SoundDescription(
                    PayloadType(97), clockRate: 48000, channels: 2,
                    .aac(.init(configuration: [0x11, 0x90, 0x56, 0xE5, 0])))
            ])
        let fromGStreamer = try sounds(
            "m=audio 0 RTP/AVP 96", "a=rtpmap:96 MPEG4-GENERIC/8000",
            "a=fmtp:96 streamtype=5;profile-level-id=2;mode=AAC-hbr;config=1588;sizelength=13;indexlength=3;indexdeltalength=3"
        )
        let aac = MPEG4FormatParameters(configuration: [0x15, 0x88], profileLevel: 2)
        #expect(fromGStreamer == [SoundDescription(PayloadType(96), clockRate: 8000, channels: 1, .aac(aac))])
        let fromCamera = try sounds(
            "m=audio 0 RTP/AVP 104", "a=rtpmap:104 mpeg4-generic/16000/1",
            "a=fmtp:104 Streamtype=5; Profile-Level-ID=15; Mode=aac-hbr; Config=1408; SizeLength=13; IndexLength=3; IndexDeltaLength=3; CTSDeltaLength=0"
        )
        #expect(fromCamera.first?.encoding == .aac(.init(configuration: [0x14, 0x08], profileLevel: 15)))
        let low = try sounds(
            "m=audio 0 RTP/AVP 96", "a=rtpmap:96 mpeg4-generic/22050",
            "a=fmtp:96 mode=AAC-lbr;config=1388;sizelength=6;indexlength=2;indexdeltalength=2")
        guard case .aac(let lowBitrate)? = low.first?.encoding else {
            Issue.record("no AAC-lbr")
            return
        }
        #expect([lowBitrate.sizeLength, lowBitrate.indexLength, lowBitrate.indexDeltaLength] == [6, 2, 2])
        #expect(MPEG4FormatParameters(FormatParameters(PayloadType(96), lowBitrate.parameters)) == lowBitrate)
    }

    /// The description of GStreamer 1.22's `rtpmp4apay`.
    @Test func latm() throws {
        let known = try sounds(
            "m=audio 0 RTP/AVP 96", "a=rtpmap:96 MP4A-LATM/44100",
            "a=fmtp:96 cpresent=0;config=40002420adca00;object=2")
        let latm = LATMFormatParameters(configuration: [0x40, 0, 0x24, 0x20, 0xAD, 0xCA, 0])
        #expect(known == [SoundDescription(PayloadType(96), clockRate: 44100, channels: 1, .latm(latm))])
        for parameters in [
            "config=400023203fc0", "cpresent=1;config=400023203fc0", "cpresent=0", "cpresent=0;config=4",
        ] {
            #expect(
                try sounds("m=audio 0 RTP/AVP 96", "a=rtpmap:96 MP4A-LATM/44100", "a=fmtp:96 \(parameters)") == [])
        }
    }

    /// RFC 3551 table 4: static payload types need no `rtpmap`; if there is one, it takes precedence.
    @Test func staticTypes() throws {
        let linear = SoundDescription.Encoding.linear16
        #expect(
            try sounds("m=audio 0 RTP/AVP 0 8 10 11 3 14") == [
                SoundDescription(PayloadType(0), clockRate: 8000, channels: 1, .muLaw),
                SoundDescription(PayloadType(8), clockRate: 8000, channels: 1, .aLaw),
                SoundDescription(PayloadType(10), clockRate: 44100, channels: 2, linear),
                SoundDescription(PayloadType(11), clockRate: 44100, channels: 1, linear),
            ])
        #expect(
            try sounds("m=audio 0 RTP/AVP 0", "a=rtpmap:0 PCMU/16000") == [
                SoundDescription(PayloadType(0), clockRate: 16000, channels: 1, .muLaw)
            ])
        #expect(try sounds("m=video 0 RTP/AVP 0").isEmpty)
    }

    @Test(arguments: [
        "a=rtpmap:96 opus/44100/2", "a=rtpmap:96 L16/4000000000/2", "a=rtpmap:96 MP4A-LATM/48000/2",
        "a=rtpmap:96 mpeg4-generic/48000/2", "a=rtpmap:97 opus/48000/2", "a=rtpmap:96 vorbis/48000/2",
    ])
    func unknownFormats(map: String) throws {
        #expect(try sounds("m=audio 0 RTP/AVP 96", map).isEmpty)
    }

    static let good = "mode=AAC-hbr;config=1190;sizelength=13;indexlength=3;indexdeltalength=3"
    @Test(arguments: [
        "mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3", "config=1190;sizelength=13",
        "mode=CELP-vbr;config=1190;sizelength=13;indexlength=3;indexdeltalength=3",
        "mode=AAC-hbr;config=119;sizelength=13;indexlength=3;indexdeltalength=3",
        "mode=AAC-hbr;config=;sizelength=13;indexlength=3;indexdeltalength=3",
        "mode=AAC-hbr;config=zz;sizelength=13;indexlength=3;indexdeltalength=3",
        "mode=AAC-hbr;config=\(String(repeating: "11", count: 65));sizelength=13",
        "mode=AAC-hbr;config=1190;indexlength=3;indexdeltalength=3",
        "mode=AAC-hbr;config=1190;sizelength=17;indexlength=3;indexdeltalength=3",
        "mode=AAC-hbr;config=1190;sizelength=0;indexlength=3;indexdeltalength=3",
        "mode=AAC-hbr;config=1190;sizelength=13;indexlength=9;indexdeltalength=3",
        "mode=AAC-hbr;config=1190;sizelength=13;indexlength=3;indexdeltalength=-3",
        "streamtype=4;\(good)", "\(good);ctsdeltalength=22", "\(good);constantSize=100",
        "\(good);auxiliarydatasizelength=8", "\(good);maxDisplacement=4096",
    ])
    func refusedAAC(parameters: String) throws {
        let value = try #require(FormatParameters(attributeValue: "96 \(parameters)"))
        #expect(MPEG4FormatParameters(value) == nil)
        #expect(
            try sounds("m=audio 0 RTP/AVP 96", "a=rtpmap:96 mpeg4-generic/48000/2", "a=fmtp:96 \(parameters)") == [])
    }

    @Test func opusParametersGoInAndOut() throws {
        let all = OpusFormatParameters(
            maximumPlaybackRate: 16000, prefersStereo: true, sendsStereo: true, usesInBandFEC: true, usesDTX: true,
            maximumBitrate: 64000, minimumPacketMilliseconds: 3)
        let value = FormatParameters(PayloadType(96), all.parameters)
        #expect(
            value.attributeValue
                == "96 maxplaybackrate=16000;minptime=3;maxaveragebitrate=64000;stereo=1;sprop-stereo=1;useinbandfec=1;usedtx=1"
        )
        #expect(OpusFormatParameters(value) == all)
        #expect(OpusFormatParameters(nil) == OpusFormatParameters())
        #expect(OpusFormatParameters().parameters.isEmpty)
    }

    /// Invalid parameters are ignored, and don't prevent decoding.
    @Test(arguments: [
        "maxplaybackrate=0", "maxplaybackrate=48001", "maxplaybackrate=x", "stereo=2", "stereo", "useinbandfec=yes",
        "maxaveragebitrate=99999999999999999999", "minptime=0", "minptime=121", "cbr=1",
    ])
    func opusNonsense(text: String) {
        #expect(OpusFormatParameters(FormatParameters(attributeValue: "96 \(text)")) == OpusFormatParameters())
    }

    @Test(arguments: [
        "111/", "/111", "111/128", "111=111", "opus", "111;111", String(repeating: "1/", count: 32) + "1",
    ])
    func badRedundancy(text: String) throws {
        let value = try #require(FormatParameters(attributeValue: "63 \(text)"))
        #expect(RedundancyParameters(value) == nil)
    }

    @Test func writtenAsItIsRead() throws {
        let formats = [
            SoundDescription.opus(PayloadType(97), .init(sendsStereo: true)),
            SoundDescription(
                PayloadType(98), clockRate: 48000, channels: 2, .aac(.init(configuration: [0x11, 0x90]))),
            SoundDescription(PayloadType(99), clockRate: 48000, channels: 2, .linear16),
            SoundDescription(
                PayloadType(100), clockRate: 48000, channels: 2, .latm(.init(configuration: [0x40, 0, 0x23, 0x20]))),
            SoundDescription(PayloadType(0), clockRate: 8000, channels: 1, .muLaw),
            SoundDescription(PayloadType(8), clockRate: 8000, channels: 1, .aLaw),
        ]
        var media = MediaSection(
            .audio, port: 0, transport: "RTP/AVP", formats: formats.map { String($0.payloadType.rawValue) })
        for format in formats { format.write(into: &media.attributes) }
        media.attributes.append(PacketTime(.microseconds(2500)))
        #expect(media.sounds == formats)
        #expect(
            media.attributes.all.compactMap(\.value) == [
                "97 opus/48000/2", "97 sprop-stereo=1", "98 mpeg4-generic/48000/2",
                "98 streamtype=5;profile-level-id=1;mode=AAC-hbr;sizelength=13;indexlength=3;indexdeltalength=3;config=1190",
                "99 L16/48000/2", "100 MP4A-LATM/48000/2", "100 cpresent=0;config=40002320", "0 PCMU/8000/1",
                "8 PCMA/8000/1", "2.5",
            ])
    }

    @Test(arguments: [
        ("20", 20_000), ("2.5", 2500), ("0.125", 125), ("2.5000000", 2500), ("21.333333", 21_333),
        ("10000", 10_000_000),
    ])
    func packetTimes(text: String, microseconds: Int) throws {
        let time = try #require(PacketTime(attributeValue: text))
        #expect(time.duration == .microseconds(microseconds))
        #expect(PacketTime(attributeValue: time.attributeValue) == time)
        #expect(MaximumPacketTime(attributeValue: text)?.duration == time.duration)
        #expect(MaximumPacketTime(time.duration).attributeValue == time.attributeValue)
    }

    @Test(arguments: [
        "", "0", "0.0", "-1", "1.", ".5", "1.x", "1e3", "10001", "1.0000000000", " 20", "99999999999999999999",
    ])
    func badPacketTimes(text: String) {
        #expect(PacketTime(attributeValue: text) == nil)
        #expect(PacketTime(attributeValue: nil) == nil)
    }
}
