import Foundation
import HelioCore
import Heliograph
import Testing

/// Changes that an app makes while a session runs.
extension SDKTests {
    private static func attributes(
        _ format: MediaAttributes.Format = .avc, width: Int = 320, height: Int = 200
    ) -> MediaAttributes {
        MediaAttributes(format: format, width: width, height: height, framesPerSecond: 24, bitrate: 2_000_000)
    }

    /// Writes a frame for each keyframe request until one is accepted.
    private func writeKeyframe(_ source: MirrorSource, _ encoder: FakeEncoder, _ frame: EncodedFrame) async throws {
        for await entry in encoder.diary.entries where entry == "keyframe" {
            if try source.write(frame) { return }
        }
    }

    private func received(_ sink: MirrorSink) async throws -> EncodedFrame {
        try await wait(sink) { if case .received(_, let frame) = $0 { frame } else { nil } }
    }

    @Test("changeAttributes: the session goes on, from a keyframe, and who comes later agrees on what is so now")
    func changeAttributes() async throws {
        let encoder = FakeEncoder()
        let (arrived, arrival) = AsyncStream.makeStream(of: SinkInput.self)
        let hear: @Sendable (SinkInput) -> Void = { arrival.yield($0) }
        try await withSource(encoder, input: hear) { source in
            let sink = try MirrorSink(link: try await source.link.text)
            sink.start()
            _ = try await wait(sink) { if case .played = $0 { true } else { nil } }
            try await writeKeyframe(source, encoder, Self.frame(0, isKeyframe: true))
            _ = try await received(sink)

            try source.changeAttributes(Self.attributes())
            #expect(
                try !source.write(Self.frame(1, isKeyframe: false)), "nothing follows the old stream but a keyframe")
            try await writeKeyframe(source, encoder, Self.frame(2, isKeyframe: true))
            let frame = try await received(sink)
            #expect(frame.isKeyframe && frame.annexB == Self.frame(2, isKeyframe: true).annexB)

            // Positions are relative to the new picture.
            sink.send(.pointerMoved(x: 0.75, y: 0.25))
            for await case .pointerMoved(let x, let y) in arrived {
                #expect(abs(x - 0.75) < 0.01 && abs(y - 0.25) < 0.01)
                break
            }

            let later = try MirrorSink(link: try await source.link.text)
            later.start()
            let attributes = try await wait(later) { if case .played(let video, _) = $0 { video } else { nil } }
            #expect(attributes.width == 320 && attributes.height == 200)
            #expect(attributes.framesPerSecond == 24)
            await later.stop()
            await sink.stop()
        }
    }

    @Test("changeAttributes to another codec: who decodes it goes on, who does not is put out, and who comes is told")
    func changeCodec() async throws {
        let encoder = FakeEncoder()
        try await withSource(encoder) { source in
            let able = try MirrorSink(link: try await source.link.text)
            able.start()
            _ = try await wait(able) { if case .played = $0 { true } else { nil } }
            var options = MirrorSink.Options()
            options.formats = [.avc]
            let unable = try MirrorSink(link: try await source.link.text, options: options)
            unable.start()
            _ = try await wait(unable) { if case .played = $0 { true } else { nil } }

            try source.changeAttributes(Self.attributes(.hevc))
            let error = try await wait(unable) { if case .ended(let error) = $0 { error } else { nil } }
            #expect(error.code == .ended)
            // H.265: parameter sets, then an IDR slice.
            let bytes: [UInt8] =
                [0, 0, 0, 1, 0x40, 0x01, 0x0C, 0x11, 0, 0, 0, 1, 0x42, 0x01, 0x11, 0x81, 0, 0, 0, 1, 0x44, 0x01, 0xC1]
                + [0, 0, 0, 1, 0x26, 0x01] + [UInt8](repeating: 0x77, count: 3000)
            try await writeKeyframe(
                source, encoder, EncodedFrame(annexB: bytes, presentationTime: .zero, isKeyframe: true))
            #expect(try await received(able).annexB == bytes)

            let late = try MirrorSink(link: try await source.link.text, options: options)
            late.start()
            let refused = try await wait(late) { if case .ended(let error) = $0 { error } else { nil } }
            #expect(refused.code == .unsupported)
            await able.stop()
        }
    }

    @Test("touches reach the app with phase, place and pressure, each of them and in order (rows 62, 63)")
    func touch() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: SinkInput.self)
        let hear: @Sendable (SinkInput) -> Void = { arrival.yield($0) }
        try await withSource(input: hear) { source in
            let sink = try MirrorSink(link: try await source.link.text)
            sink.start()
            _ = try await wait(sink) { if case .played = $0 { true } else { nil } }
            typealias Act = (phase: SinkInput.TouchPhase, x: Double, y: Double, pressure: Double)
            let acts: [Act] = [
                (.down, 0.25, 0.5, 0.3), (.move, 0.5, 0.75, 0.6), (.up, 0.75, 0, 0.1), (.down, 1, 1, 7),
                (.cancelled, 1, 1, 0), (.move, 0, 0, 1), (.down, 0, 1, .nan),
            ]
            for act in acts { sink.send(.touch(act.phase, x: act.x, y: act.y, pressure: act.pressure)) }
            var inputs = arrived.makeAsyncIterator()
            // Moves of a touch that never began are ignored; a touch that is down at the end is cancelled.
            let expected: [Act] = [acts[0], acts[2], acts[3], acts[4], acts[6], (.cancelled, 0, 1, 0)]
            for (number, act) in expected.enumerated() {
                if number == expected.count - 1 { await sink.stop() }
                var input = await inputs.next()
                // A move that the next position supersedes may be omitted; if it is resent with it, it arrives twice.
                while case .touch(.move, _, _, let pressure)? = input {
                    #expect(abs(pressure - acts[1].pressure) < 0.001)
                    input = await inputs.next()
                }
                guard case .touch(let phase, let x, let y, let pressure)? = input else {
                    return #expect(Bool(false), "no touch")
                }
                #expect(phase == act.phase && abs(x - act.x) < 0.01 && abs(y - act.y) < 0.01)
                let wanted = act.pressure.isNaN ? 0 : min(act.pressure, 1)
                #expect(abs(pressure - wanted) < 0.001)
            }
        }
    }

    @Test("an input rate that no target has is refused", arguments: [0, -1, 1001])
    func inputRate(_ rate: Int) async throws {
        var options = MirrorSource.Options()
        (options.address, options.port, options.inputRate) = ("127.0.0.1", 0, rate)
        let error = await #expect(throws: HelioError.self) {
            try await MirrorSource.start(options, video: Self.video, plugin: FakeEncoder())
        }
        #expect(error?.code == .invalidArgument && error?.message.contains("\(rate)") == true)
    }

    @Test("changeAttributes refuses what no stream can be, and changes nothing")
    func changeNothing() async throws {
        try await withSource { source in
            let error = #expect(throws: HelioError.self) {
                try source.changeAttributes(Self.attributes(width: 0))
            }
            #expect(error?.code == .invalidArgument)
            let sink = try MirrorSink(link: try await source.link.text)
            sink.start()
            let attributes = try await wait(sink) { if case .played(let video, _) = $0 { video } else { nil } }
            #expect(attributes.width == Self.video.width)
            await sink.stop()
        }
    }

    @Test("takeControl: what is held is let go, nothing more comes in, also of who joins later, until it is given back")
    func takeControl() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: SinkInput.self)
        let hear: @Sendable (SinkInput) -> Void = { arrival.yield($0) }
        try await withSource(input: hear) { source in
            let sink = try MirrorSink(link: try await source.link.text)
            sink.start()
            _ = try await wait(sink) { if case .played = $0 { true } else { nil } }
            var inputs = arrived.makeAsyncIterator()
            sink.send(.key(usage: 4, isDown: true))
            #expect(await inputs.next() == .key(usage: 4, isDown: true))

            source.takeControl()
            #expect(await inputs.next() == .key(usage: 4, isDown: false), "let go at once")
            let afterwards = try await wait(sink) { if case .permission(let allowed) = $0 { allowed } else { nil } }
            #expect(!afterwards)
            sink.send(.key(usage: 5, isDown: true))
            let later = try MirrorSink(link: try await source.link.text)
            later.start()
            let mayDrive = try await wait(later) { if case .played(_, let allowed) = $0 { allowed } else { nil } }
            #expect(!mayDrive)
            later.send(.key(usage: 6, isDown: true))

            source.setControl(allowed: true)
            for each in [sink, later] {
                let given = try await wait(each) { if case .permission(let allowed) = $0 { allowed } else { nil } }
                #expect(given)
            }
            sink.send(.key(usage: 7, isDown: true))
            #expect(await inputs.next() == .key(usage: 7, isDown: true), "and nothing of what was done in between")
            await later.stop()
            await sink.stop()
        }
    }
}
