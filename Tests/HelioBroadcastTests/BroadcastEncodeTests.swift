import HelioBroadcast
import HelioCore
import Testing

struct BroadcastEncodeTests {
    /// Row 161: by default 1280x720, into which a screen is fitted with its aspect ratio.
    @Test(
        arguments: [
            (PixelSize(width: 1920, height: 1080), PixelSize(width: 1280, height: 720)),
            (PixelSize(width: 1668, height: 2388), PixelSize(width: 720, height: 1030)),
            (PixelSize(width: 2388, height: 1668), PixelSize(width: 1030, height: 720)),
            (PixelSize(width: 640, height: 480), PixelSize(width: 640, height: 480)),
        ])
    func sizes(screen: PixelSize, coded: PixelSize) throws {
        let format = try BroadcastEncode().format(of: screen)
        #expect(format.size == coded)
        #expect(format.chroma == .yuv420)
        #expect(format.color == .bt709)
    }

    @Test func ranges() throws {
        _ = try BroadcastEncode(codec: .h265, bitrate: .kilobits(100), keyframeInterval: .seconds(10), color: .bt601)
        #expect(throws: HelioError.self) { try BroadcastEncode(size: PixelSize(width: 1281, height: 720)) }
        #expect(throws: HelioError.self) { try BroadcastEncode(size: PixelSize(width: 1280, height: 4098)) }
        #expect(throws: HelioError.self) { try BroadcastEncode(size: PixelSize(width: 0, height: 720)) }
        #expect(throws: HelioError.self) { try BroadcastEncode(framesPerSecond: 0) }
        #expect(throws: HelioError.self) { try BroadcastEncode(framesPerSecond: 121) }
        #expect(throws: HelioError.self) { try BroadcastEncode(bitrate: .kilobits(99)) }
        #expect(throws: HelioError.self) { try BroadcastEncode(keyframeInterval: .milliseconds(499)) }
        #expect(throws: HelioError.self) { try BroadcastEncode(color: .unspecified) }
    }

    /// A broadcast shares the viewers' encode if the formats are equal, and reports the differences if not.
    @Test func sharing() throws {
        let encode = try BroadcastEncode()
        let screen = PixelSize(width: 1920, height: 1080)
        let own = encode.format(of: screen)
        #expect(encode.differences(from: own, adapts: false, screen: screen).isEmpty)
        #expect(encode.differences(from: own, adapts: true, screen: screen) == [.adaptation])
        var viewers = own
        viewers.color = .bt709By601
        #expect(encode.differences(from: viewers, adapts: false, screen: screen).isEmpty)
        viewers.size = screen
        viewers.bitrate = .megabits(8)
        viewers.framesPerSecond = 60
        viewers.chroma = .yuv444
        viewers.color = .bt601
        viewers.codec = .h265
        #expect(
            encode.differences(from: viewers, adapts: true, screen: screen)
                == Set(BroadcastEncode.Difference.allCases))
    }
}
