#if canImport(HelioLinuxSink)
import Foundation
import HelioAppleFakes
import HelioCore
import HelioGround
import Testing

@testable import HelioViewing
@testable import Heliograph

/// A running session on loopback between two machines, at least one of them Apple's.
struct Session {
    /// The source's display.
    let panel: FakePanel
    let source: MirrorSource
    /// The source's compression sessions; `nil` for a Linux source.
    let encoding: CodecSessions?
    /// The sink's decompression sessions; `nil` for a Linux sink.
    let decoding: FakeSessions?
    /// Waits until the viewer shows the panel's current picture.
    let see: () async throws -> Sight

    /// Shows the picture of a number, and waits until the viewer shows it.
    func show(_ number: Int) async throws -> Sight {
        panel.show(number)
        return try await see()
    }

    /// Runs a source and a viewer until the body returns.
    ///
    /// - Parameter largest: the largest picture size that the viewer accepts.
    static func run(
        _ way: Way, _ panel: FakePanel, codec: MediaAttributes.Format = .avc, largest: PixelSize? = nil,
        _ body: (Session) async throws -> Void
    ) async throws {
        let (apple, linux) = (FakeAppleSource(panel), KnownLinuxSource(panel))
        let (appleSink, linuxSink) = (FakeAppleSink(), KeepingLinuxSink())
        switch way {
        case .appleToLinux:
            try await run(apple, linuxSink, linuxSink.kept, codec, largest, panel, apple.sessions, nil, body)
        case .linuxToApple:
            try await run(linux, appleSink, appleSink.kept, codec, largest, panel, nil, appleSink.sessions, body)
        case .appleToApple:
            try await run(
                apple, appleSink, appleSink.kept, codec, largest, panel, apple.sessions, appleSink.sessions, body)
        }
    }

    private static func run<Sink: SinkPlatform>(
        _ platform: some SourcePlatform, _ sink: Sink, _ kept: KeptPictures<Sink.Decoder.Picture>,
        _ codec: MediaAttributes.Format, _ largest: PixelSize?, _ panel: FakePanel, _ encoding: CodecSessions?,
        _ decoding: FakeSessions?,
        _ body: (Session) async throws -> Void
    ) async throws where Sink.Decoder.Picture: Seen {
        try await withSource(platform, codec) { source in
            var reader = kept.reader
            let see = {
                let picture = try await reader.next { picture in
                    guard picture.size == panel.size.fitted(within: largest), let pixels = picture.sight?.pixels else {
                        return false
                    }
                    return panel.pictures.number(in: pixels) == panel.number
                }
                return try #require(picture.sight)
            }
            try await withViewer(sink, kept, of: source, largest: largest) {
                try await body(
                    Session(panel: panel, source: source, encoding: encoding, decoding: decoding, see: see))
            }
        }
    }

    /// Runs a source on loopback, with a home folder of its own, until the body returns.
    static func withSource(
        _ platform: some SourcePlatform, _ codec: MediaAttributes.Format, _ body: (MirrorSource) async throws -> Void
    ) async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        var options = MirrorSource.Options()
        options.address = "127.0.0.1"
        options.port = 0
        options.home = home.path
        options.format = codec
        // Rate control must not skip pictures: it is not the subject here.
        options.bitrate = 200_000_000
        options.adaptation = .off
        let source = try await MirrorSource.start(options, on: platform)
        do {
            try await body(source)
        } catch {
            await source.stop()
            throw error
        }
        await source.stop()
    }

    /// Runs a viewer on a thread of its own until the body returns.
    static func withViewer<Sink: SinkPlatform>(
        _ sink: Sink, _ kept: KeptPictures<Sink.Decoder.Picture>, of source: MirrorSource,
        largest: PixelSize? = nil, _ body: () async throws -> Void
    ) async throws {
        let target = try ViewTarget(parsing: try await source.link.text, code: nil)
        let thread = WorkerThread(name: "viewer") {
            do throws(HelioError) {
                var options = Viewer.Options()
                options.largest = largest
                try ViewerLoop(on: sink, target, options, nil, nil).run()
            } catch {
                Issue.record(error)
            }
            kept.end()
        }
        do {
            try await body()
        } catch {
            kept.act(.closeRequested)
            await thread.join()
            throw error
        }
        kept.act(.closeRequested)
        await thread.join()
    }
}
#endif
