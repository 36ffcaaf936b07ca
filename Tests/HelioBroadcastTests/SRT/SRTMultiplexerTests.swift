import HelioBitstream
import HelioBroadcast
import HelioCore
import HelioFuzzing
import HelioMPEGTS
import HelioReceivers
import Testing

struct SRTMultiplexerTests {
    private static let sets: [UInt8] = [0, 0, 0, 1, 0x67, 0x42, 0xC0, 0x1E, 0xDA, 0, 0, 0, 1, 0x68, 0xCE]
    private static let keyframe = sets + [0, 0, 0, 1, 0x65, 0x88, 0x80]
    private static let picture: [UInt8] = [0, 0, 0, 1, 0x41, 0x9A]

    @Test func timesAndKinds() throws {
        let config = AudioSpecificConfig(.standard)
        var multiplexer = try SRTMultiplexer(BroadcastTracks(video: .h264, sound: .aac(config)))
        let units = [
            BroadcastUnit(kind: .keyframe, bytes: Self.keyframe, time: .zero),
            BroadcastUnit(kind: .sound, bytes: [0x21, 0x10, 0x05], time: .milliseconds(5)),
            BroadcastUnit(kind: .picture, bytes: Self.picture, time: .milliseconds(33)),
        ]
        var reader = TransportStreamReader()
        for unit in units {
            let packets = multiplexer.packets(of: unit)
            reader.append(try #require(packets))
        }
        var (pictures, sounds): ([TransportPicture], [TransportSoundUnit]) = ([], [])
        while let output = reader.next() {
            switch output {
            case .program(let program): #expect(program == TransportProgram(video: .h264, sound: .aac))
            case .picture(let picture): pictures.append(picture)
            case .sound(let sound): sounds.append(sound)
            }
        }
        #expect(reader.faults.total == 0)
        #expect(pictures.map(\.presentation) == [0, 2970])
        #expect(pictures.map(\.isKeyframe) == [true, false])
        #expect(sounds.map(\.presentation) == [450])
        #expect(sounds.map(\.bytes) == [[0x21, 0x10, 0x05]])
        #expect(sounds.first?.config == config)
    }

    /// A keyframe without parameter sets doesn't count, and the frames after it are unusable.
    @Test func needsAKeyframe() throws {
        var multiplexer = try SRTMultiplexer(BroadcastTracks(video: .h264))
        let bare = BroadcastUnit(kind: .keyframe, bytes: [0, 0, 0, 1, 0x65, 0x88], time: .zero)
        let picture = BroadcastUnit(kind: .picture, bytes: Self.picture, time: .milliseconds(33))
        let keyframe = BroadcastUnit(kind: .keyframe, bytes: Self.keyframe, time: .milliseconds(66))
        let carried = [picture, bare, picture, keyframe, picture].map { multiplexer.packets(of: $0) != nil }
        #expect(carried == [false, false, false, true, true])
    }

    @Test func unfit() {
        #expect(throws: TransportStreamError.self) { try SRTMultiplexer(BroadcastTracks(video: nil)) }
        #expect(throws: TransportStreamError.self) {
            try SRTMultiplexer(BroadcastTracks(video: .h264, sound: .opus(channels: 6)))
        }
    }

    @Test(arguments: 0..<100 as Range<UInt64>)
    func seeds(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        SRTLinkFuzz.run((0..<1000).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }
}
