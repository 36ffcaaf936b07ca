import HelioAppleMedia
import HelioCore
import Testing

@Suite("Frames that wait")
struct FrameInboxTests {
    private let size = PixelSize(width: 100, height: 60)

    private func damage(_ dirty: [FrameRect]?) throws -> Region {
        var inbox = FrameInbox<Int>(size: size)
        _ = inbox.add(StreamFrame(buffer: 1, size: size), now: .zero)
        _ = inbox.take(everything: false)
        _ = inbox.add(StreamFrame(buffer: 2, size: size, dirty: dirty), now: .zero)
        let taken = inbox.take(everything: false)
        return try #require(taken).damage
    }

    @Test(
        "dirty rectangles that make no sense cost a whole picture, never a stale part",
        arguments: [
            nil, [], [FrameRect(x: .nan, y: 0, width: 1, height: 1)],
            [FrameRect(x: 0, y: 0, width: .infinity, height: 1)], [FrameRect(x: 0, y: 0, width: -5, height: 5)],
            [FrameRect(x: 0, y: 0, width: 0, height: 0)], [FrameRect(x: 500, y: 500, width: 9, height: 9)],
            [FrameRect(x: 1e300, y: -1e300, width: 1e300, height: 1e300)],
        ] as [[FrameRect]?])
    func senseless(dirty: [FrameRect]?) throws {
        #expect(try damage(dirty) == Region(PixelRect(size)))
    }

    @Test("a rectangle is cut to the frame and grown to whole pixels")
    func cut() throws {
        #expect(
            try damage([FrameRect(x: -10.5, y: 50.2, width: 20, height: 99)])
                == Region(PixelRect(x: 0, y: 50, width: 10, height: 10)))
        #expect(
            try damage([FrameRect(x: 1.5, y: 1.5, width: 1, height: 1)])
                == Region(PixelRect(x: 1, y: 1, width: 2, height: 2)))
    }

    @Test("a frame's age tells when it was shown; one that makes no sense is bounded")
    func age() throws {
        for (age, shown) in [(Duration.milliseconds(8), 992), (.milliseconds(-5), 1000), (.seconds(90), 0)] {
            var inbox = FrameInbox<Int>(size: size)
            _ = inbox.add(StreamFrame(buffer: 1, size: size, age: age), now: .zero + .seconds(1))
            #expect(inbox.take(everything: false)?.shown == .zero + .milliseconds(shown))
        }
    }
}
