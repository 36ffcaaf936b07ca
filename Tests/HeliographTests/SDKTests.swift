import Foundation
import HelioCore
import HelioTestLanes
import Heliograph
import Synchronization
import Testing

/// An app with its own encoder and decoder, at both ends of a real session.
@Suite("The SDK with an app's own codec", .serialized, .timeLimit(.minutes(2)), .tags(.quiet))
struct SDKTests {
    /// The calls of a plugin in order, with a way to wait for them.
    final class Diary: Sendable {
        let entries: AsyncStream<String>
        private let continuation: AsyncStream<String>.Continuation
        private let all = Mutex<[String]>([])

        init() { (entries, continuation) = AsyncStream.makeStream(of: String.self) }

        func write(_ entry: String) {
            all.withLock { $0.append(entry) }
            continuation.yield(entry)
        }

        var written: [String] { all.withLock { $0 } }
    }

    /// Records the session's calls of an encoder.
    struct FakeEncoder: VideoSourcePlugin {
        let diary = Diary()
        func initialize(_ attributes: MediaAttributes) { diary.write("initialize \(attributes.width)") }
        func start() { diary.write("start") }
        func pause() { diary.write("pause") }
        func resume() { diary.write("resume") }
        func stop() { diary.write("stop") }
        func attributesChanged(_ attributes: MediaAttributes) {
            diary.write("changed \(attributes.framesPerSecond) \(attributes.bitrate)")
        }
        func keyframeNeeded(reason: String) { diary.write("keyframe") }
        func bitrateSuggested(_ bitsPerSecond: Int) {}
    }

    /// Accepts frames, except those that the test declares bad.
    struct FakeDecoder: VideoSinkPlugin {
        let diary = Diary()
        var finds: @Sendable (EncodedFrame) -> Bool = { _ in true }
        func initialize(_ attributes: MediaAttributes) { diary.write("initialize \(attributes.format.rawValue)") }
        func start() { diary.write("start") }
        func stop() { diary.write("stop") }
        func receive(_ frame: EncodedFrame) -> Bool {
            diary.write("frame \(frame.isKeyframe)")
            return finds(frame)
        }
    }

    static let video = MediaAttributes(
        format: .avc, width: 640, height: 480, framesPerSecond: 50, bitrate: 4_000_000, profile: 100, level: 42)

    /// Returns a frame with the outer form of H.264 and without start codes inside.
    static func frame(_ index: Int, isKeyframe: Bool, size: Int = 5000) -> EncodedFrame {
        var bytes: [UInt8] = []
        if isKeyframe {
            bytes += [0, 0, 0, 1, 0x67, 0x64, 0x00, 0x2A, 0xAC, 0, 0, 0, 1, 0x68, 0xEE, 0x3C, 0x80]
        }
        bytes += [0, 0, 0, 1, isKeyframe ? 0x65 : 0x41, UInt8(index % 200) + 4]
        bytes += (0..<size).map { UInt8(4 + ($0 * 7 + index) % 250) }
        return EncodedFrame(annexB: bytes, presentationTime: .milliseconds(20 * index), isKeyframe: isKeyframe)
    }

    /// Runs a source on loopback, with a temporary home folder.
    func withSource(
        _ encoder: any VideoSourcePlugin = FakeEncoder(), web: WebOptions? = nil,
        input: (@Sendable (SinkInput) -> Void)? = nil,
        _ body: (MirrorSource) async throws -> Void
    ) async throws {
        let home = FileManager.default.temporaryDirectory.appendingPathComponent("heliograph-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        var options = MirrorSource.Options()
        options.address = "127.0.0.1"
        options.port = 0
        options.home = home.path
        options.web = web
        let source = try await MirrorSource.start(options, video: Self.video, plugin: encoder, input: input)
        do {
            try await body(source)
        } catch {
            await source.stop()
            throw error
        }
        await source.stop()
    }

    /// Reads events until `choose` returns a value.
    func wait<Value>(
        _ sink: MirrorSink, for choose: (MirrorSink.Event) -> Value?
    ) async throws -> Value {
        for await event in sink.events {
            if let value = choose(event) { return value }
        }
        throw Ended()
    }

    private struct Ended: Error {}

    private func waitForKeyframe(_ encoder: FakeEncoder) async {
        for await entry in encoder.diary.entries where entry == "keyframe" { return }
    }

    @Test("frames arrive whole, in order and with their times; the hooks come in the order of the spec (rows 23, 26)")
    func frames() async throws {
        let encoder = FakeEncoder()
        try await withSource(encoder) { source in
            #expect(try !source.write(Self.frame(0, isKeyframe: true)), "nobody watches")
            let sink = try MirrorSink(link: try await source.link.text)
            sink.start()
            let attributes = try await wait(sink) { event in
                if case .played(let attributes, _) = event { attributes } else { nil }
            }
            #expect(attributes == Self.video, "as agreed on (row 31)")
            await waitForKeyframe(encoder)
            #expect(try !source.write(Self.frame(1, isKeyframe: false)), "the first has to be a keyframe")
            let sent = (2..<40).map { Self.frame($0, isKeyframe: $0 == 2, size: $0 == 2 ? 40_000 : 3000) }
            for frame in sent {
                #expect(try source.write(frame))
                let received = try await wait(sink) { event in
                    if case .received(.video, let frame) = event { frame } else { nil }
                }
                #expect(received.annexB == frame.annexB)
                #expect(received.isKeyframe == frame.isKeyframe)
                let time = received.presentationTime - (frame.presentationTime - sent[0].presentationTime)
                #expect(abs(time / .milliseconds(1)) < 0.1)
            }
            await sink.stop()
        }
        #expect(encoder.diary.written.filter { $0 != "keyframe" }.prefix(2) == ["initialize 640", "start"])
        #expect(encoder.diary.written.last == "stop")
    }

    @Test("pause reaches the encoder, and after resume a keyframe comes first (rows 22, 23)")
    func pause() async throws {
        let encoder = FakeEncoder()
        try await withSource(encoder) { source in
            let sink = try MirrorSink(link: try await source.link.text)
            sink.start()
            await waitForKeyframe(encoder)
            #expect(try source.write(Self.frame(0, isKeyframe: true)))
            _ = try await wait(sink) { if case .received = $0 { true } else { nil } }
            sink.pause(.video)
            for await entry in encoder.diary.entries where entry == "pause" { break }
            #expect(try !source.write(Self.frame(1, isKeyframe: false)), "nobody watches now")
            sink.resume(.video)
            for await entry in encoder.diary.entries where entry == "resume" { break }
            await waitForKeyframe(encoder)
            #expect(try !source.write(Self.frame(2, isKeyframe: false)))
            #expect(try source.write(Self.frame(3, isKeyframe: true)))
            let frame = try await wait(sink) { event in
                if case .received(_, let frame) = event { frame } else { nil }
            }
            #expect(frame == Self.frame(3, isKeyframe: true) || frame.isKeyframe)
            #expect(frame.annexB == Self.frame(3, isKeyframe: true).annexB)
            await sink.stop()
        }
    }

    @Test("an app's decoder gets the frames, and what it can't decode asks for a keyframe (row 15)")
    func decoder() async throws {
        let encoder = FakeEncoder()
        var decoder = FakeDecoder()
        decoder.finds = { $0.isKeyframe }
        let diary = decoder.diary
        try await withSource(encoder) { source in
            let sink = try MirrorSink(link: try await source.link.text, video: decoder)
            sink.start()
            await waitForKeyframe(encoder)
            #expect(try source.write(Self.frame(0, isKeyframe: true)))
            #expect(try source.write(Self.frame(1, isKeyframe: false)))
            await waitForKeyframe(encoder)
            for await entry in diary.entries where entry == "frame false" { break }
            await sink.stop()
        }
        #expect(diary.written == ["initialize video/avc", "start", "frame true", "frame false", "stop"])
    }

    @Test("what the person does comes to the app, in order")
    func input() async throws {
        let done: [SinkInput] = [
            .key(usage: 4, isDown: true), .key(usage: 4, isDown: false), .text("héllo"), .scrolled(dx: 0, dy: 120),
        ]
        let (arrived, arrival) = AsyncStream.makeStream(of: SinkInput.self)
        let hear: @Sendable (SinkInput) -> Void = { arrival.yield($0) }
        try await withSource(input: hear) { source in
            let sink = try MirrorSink(link: try await source.link.text)
            sink.start()
            let allowsControl = try await wait(sink) { event in
                if case .played(_, let allowsControl) = event { allowsControl } else { nil }
            }
            #expect(allowsControl)
            for input in done { sink.send(input) }
            var seen: [SinkInput] = []
            for await input in arrived {
                seen.append(input)
                if seen.count == done.count { break }
            }
            #expect(seen == done)
            await sink.stop()
        }
    }

    @Test("without a taker for input a sink may only watch")
    func watchOnly() async throws {
        try await withSource { source in
            let sink = try MirrorSink(link: try await source.link.text)
            sink.start()
            let allowsControl = try await wait(sink) { event in
                if case .played(_, let allowsControl) = event { allowsControl } else { nil }
            }
            #expect(!allowsControl)
            await sink.stop()
        }
    }

    @Test("what is no access unit is refused with the reason")
    func badFrame() async throws {
        try await withSource { source in
            for bytes in [[], [0], [1, 2, 3, 4, 5], [0, 0, 0, 0, 1]] as [[UInt8]] {
                let frame = EncodedFrame(annexB: bytes, presentationTime: .zero, isKeyframe: true)
                let error = #expect(throws: HelioError.self) { try source.write(frame) }
                #expect(error?.code == .invalidArgument)
            }
        }
    }

    @Test("a source that stops ends the sink, and a wrong link never begins")
    func endings() async throws {
        var link = ""
        var sink: MirrorSink?
        try await withSource { source in
            let text = try await source.link.text
            link = text
            let made = try MirrorSink(link: text)
            sink = made
            made.start()
            _ = try await wait(made) { if case .played = $0 { true } else { nil } }
            let second = try MirrorSink(link: link)
            second.start()
            let refused = try await wait(second) { if case .ended(let error) = $0 { error } else { nil } }
            #expect(refused.code == .refused)
        }
        let ended = try await wait(try #require(sink)) { if case .ended(let error) = $0 { error } else { nil } }
        #expect(ended.code == .ended)
        #expect(throws: HelioError.self) { try MirrorSink(link: "heliograph://nowhere") }
    }
}

extension SDKTests {
    @Test("a sink's limits reach the encoder, and a sink without a common codec is told (rows 30, 31)")
    func negotiation() async throws {
        let encoder = FakeEncoder()
        try await withSource(encoder) { source in
            var options = MirrorSink.Options()
            options.framesPerSecond = 25
            options.bitrate = 1_000_000
            let sink = try MirrorSink(link: try await source.link.text, options: options)
            sink.start()
            for await event in source.events {
                guard case .agreed(let video, let reasons) = event else { continue }
                #expect(video.framesPerSecond == 25 && video.bitrate == 1_000_000)
                #expect(reasons.count == 2)
                break
            }
            for await entry in encoder.diary.entries where entry == "changed 25 1000000" { break }
            await sink.stop()

            options.formats = [.hevc]
            let other = try MirrorSink(link: try await source.link.text, options: options)
            other.start()
            let refused = try await wait(other) { if case .ended(let error) = $0 { error } else { nil } }
            #expect(refused.code == .unsupported)
        }
    }
}
