import HelioCore
import HelioHost
import HelioSession
import HelioSimulation
import Testing

@Suite("A source that becomes another")
struct ChangedSourceTests {
    private static let other = VideoFormat(codec: .h265, size: PixelSize(width: 640, height: 480), framesPerSecond: 20)

    private func changed(_ capabilities: StreamCapabilities) throws -> SessionWorld {
        var world = SessionWorld(capabilities: capabilities)
        try world.run(.seconds(1))
        #expect(world.viewer.isPlaying && world.viewer.lastCodec == .h264)
        world.host.encoder.codec = .h265
        world.host.host.handle(.source(Self.other, wantedSize: Self.other.size), now: world.now)
        world.host.change(to: Self.other, now: world.now)
        try world.run(.seconds(1))
        return world
    }

    @Test("who decodes it goes on in the same session")
    func goesOn() throws {
        let world = try changed(StreamCapabilities(codecs: [.h264, .h265]))
        #expect(world.viewer.ended == nil && world.viewer.broken == 0)
        #expect(world.viewer.lastCodec == .h265)
        let agreed = world.host.events.compactMap { if case .agreed(let agreement) = $0 { agreement } else { nil } }
        #expect(agreed.last?.format.codec == .h265 && agreed.last?.format.framesPerSecond == 20)
    }

    @Test("who does not is told the end, and nothing is left of it")
    func isPutOut() throws {
        let world = try changed(StreamCapabilities(codecs: [.h264]))
        #expect(world.viewer.ended?.code == .ended)
        #expect(world.host.host.held.values.allSatisfy { $0 == 0 })
    }
}
