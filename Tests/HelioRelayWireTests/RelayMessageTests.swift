import HelioCore
import HelioRelayWire
import Testing

@Suite("The relay's messages")
struct RelayMessageTests {
    @Test("each is written as documented and read again", arguments: [RelaySide.broadcastExtension, .app])
    func golden(side: RelaySide) throws {
        for (message, digits) in RelayMessages.all(of: side) {
            #expect(message.serialised() == hex(digits), "\(message)")
            var reader = RelayReader(from: side)
            reader.append(hex(digits))
            #expect(try reader.next() == message)
            #expect(try reader.next() == nil)
        }
    }

    @Test("every kind is written by one side at least") func kinds() {
        let written = Set((RelayMessages.ofExtension + RelayMessages.ofApp).map(\.0.kind))
        #expect(written == Set(RelayKind.allCases))
    }

    @Test("a NAL unit is written from its place in a larger stream") func inPlace() {
        let stream = hex("AA 6501020304 BB")
        var bytes: [UInt8] = []
        RelayMessage.write(nalUnit: 1..<6, of: stream.span.bytes, into: &bytes)
        #expect(bytes == RelayMessage.nalUnit(hex("00000001 6501020304")).serialised())
    }

    @Test(
        "what can't be read again is known as such",
        arguments: [
            RelayFormat(codec: .h264, size: PixelSize(width: 0, height: 1)),
            RelayFormat(codec: .h264, size: PixelSize(width: 1, height: 16385)),
            RelayFormat(codec: .h264, size: PixelSize(width: 1, height: 1), framesPerSecond: 0),
            RelayFormat(codec: .h264, size: PixelSize(width: 1, height: 1), quarterTurns: 4),
        ])
    func formats(format: RelayFormat) {
        #expect(!format.isValid)
    }

    @Test(
        "samples come whole, in a format that devices have",
        arguments: [
            (1, 48000, 2, 4, true), (1, 48000, 2, 3, false), (1, 48000, 2, 0, false), (1, 48000, 3, 6, false),
            (1, 7999, 1, 2, false), (2, 48000, 1, 1, true), (3, 44100, 2, 1, true),
        ])
    func sounds(codec: Int, rate: Int, channels: Int, count: Int, isValid: Bool) {
        let sound = RelaySound(
            origin: .system, codec: [.pcm, .opus, .aac][codec - 1],
            format: SoundFormat(sampleRate: rate, channels: channels), captured: .zero,
            payload: [UInt8](repeating: 7, count: count))
        #expect(sound.isValid == isValid)
    }
}
