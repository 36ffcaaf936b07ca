import Foundation
import HelioTestLanes
import HelioWebRTC
import Synchronization
import Testing

/// The documentation's programs, verbatim: they compile, run, and equal those shown in the articles.
@Suite("The programs of the articles", .timeLimit(.minutes(1)), .tags(.quiet))
struct ArticleTests {
    /// An app's signalling: texts from one end to the other.
    private struct Signalling {
        let (outgoing, out): (AsyncStream<String>, AsyncStream<String>.Continuation)
        let incoming: AsyncStream<String>

        static func pair() -> (Signalling, Signalling) {
            let (there, back) = (AsyncStream.makeStream(of: String.self), AsyncStream.makeStream(of: String.self))
            return (
                Signalling(outgoing: there.stream, out: there.continuation, incoming: back.stream),
                Signalling(outgoing: back.stream, out: back.continuation, incoming: there.stream)
            )
        }

        func send(_ text: String) async throws { out.yield(text) }

        func receive() async throws -> String {
            for await text in incoming { return text }
            throw CancellationError()
        }
    }

    @Test("a data channel in 20 lines")
    func dataChannel() async throws {
        let (here, there) = Signalling.pair()
        let answering = Task { try await Self.echo(there) }
        try await Self.chat(here)
        answering.cancel()
        _ = await answering.result
    }

    private static func chat(_ signalling: Signalling) async throws {
        let endpoint = try await WebRTCEndpoint.open()
        let peer = try await endpoint.connect()
        let chat = try await peer.openChannel("chat")
        var said: [String] = []
        func print(_ what: String, _ text: String) {
            said.append("\(what): \(text)")
            Task { await peer.close() }
        }
        func print(_ reason: String) { Issue.record("\(reason)") }

        _ = try await peer.makeOffer()
        try await signalling.send(await peer.completeDescription() ?? "")
        try await peer.takeAnswer(try await signalling.receive())

        for await event in peer.events {
            switch event {
            case .channelOpened(chat): try await chat.send(.text("hello"))
            case .message(_, .text(let text)): print("the other end says", text)
            case .failure(let reason): print(reason)
            case .state(.failed): await peer.close()
            default: break
            }
        }
        await endpoint.close()
        #expect(said == ["the other end says: hello"])
    }

    private static func echo(_ signalling: Signalling) async throws {
        let endpoint = try await WebRTCEndpoint.open()
        let peer = try await endpoint.connect()

        try await peer.takeOffer(try await signalling.receive())
        _ = try await peer.makeAnswer()
        try await signalling.send(await peer.completeDescription() ?? "")

        for await event in peer.events {
            if case .message(let channel, let message) = event { try await channel.send(message) }
        }
        await endpoint.close()
    }

    /// Twenty pictures in a loop, sent as fast as they are accepted: the first ones are skipped until there is a path.
    private final class Encoder: Sendable {
        struct Picture {
            var bytes: [UInt8]
            var time: Duration
            var isKeyframe: Bool
        }
        private let clip: CodedClip
        private let state = Mutex((wantsKeyframe: true, bitrate: 0))

        init() throws { clip = try CodedClip.make() }

        var bitrate: Int {
            get { state.withLock { $0.bitrate } }
            set { state.withLock { $0.bitrate = newValue } }
        }

        func makesKeyframeNext() { state.withLock { $0.wantsKeyframe = true } }

        var pictures: AsyncStream<Picture> {
            let place = Mutex(0)
            let clock = ContinuousClock()
            let start = clock.now
            return AsyncStream {
                // A picture every ten milliseconds: the library is shown here, not its pacer.
                try? await Task.sleep(for: .milliseconds(10))
                if Task.isCancelled { return nil }
                let wanted = self.state.withLock { state in
                    defer { state.wantsKeyframe = false }
                    return state.wantsKeyframe
                }
                let index = place.withLock { place in
                    place = wanted ? 0 : (place + 1) % 30
                    return place
                }
                let picture = self.clip.pictures[index]
                return Picture(bytes: picture.annexB, time: clock.now - start, isKeyframe: picture.isKeyframe)
            }
        }
    }

    private final class Decoder: Sendable {
        private let count = Mutex(0)
        let onTwentieth: @Sendable () -> Void

        init(onTwentieth: @escaping @Sendable () -> Void) { self.onTwentieth = onTwentieth }

        func decode(_ bytes: [UInt8]) -> Bool {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 20 { onTwentieth() }
            return !CodedClip.units(of: bytes).isEmpty
        }
    }

    @Test("a video track in 40 lines")
    func videoTrack() async throws {
        let (here, there) = Signalling.pair()
        let watching = Task { try await Self.watch(there) }
        try await Self.show(here, try Encoder())
        try await watching.value
    }

    private static func show(_ signalling: Signalling, _ encoder: Encoder) async throws {
        let endpoint = try await WebRTCEndpoint.open()
        let peer = try await endpoint.connect()
        let track = try await peer.addVideoTrack(stream: "screen")

        _ = try await peer.makeOffer()
        try await signalling.send(await peer.completeDescription() ?? "")
        try await peer.takeAnswer(try await signalling.receive())

        let sending = Task {
            for await picture in encoder.pictures {
                let coded = EncodedFrame(
                    annexB: picture.bytes, presentationTime: picture.time, isKeyframe: picture.isKeyframe)
                await track.send(coded)
            }
        }

        for await event in peer.events {
            switch event {
            case .keyframeNeeded: encoder.makesKeyframeNext()
            case .estimatedBitrate(let bitsPerSecond): encoder.bitrate = bitsPerSecond
            case .failure(let reason): print(reason)
            case .state(.failed): await peer.close()
            default: break
            }
        }
        sending.cancel()
        await endpoint.close()
    }

    private static func watch(_ signalling: Signalling) async throws {
        let endpoint = try await WebRTCEndpoint.open()
        let peer = try await endpoint.connect()
        let decoder = Decoder(onTwentieth: { Task { await peer.close() } })

        try await peer.takeOffer(try await signalling.receive())
        _ = try await peer.makeAnswer()
        try await signalling.send(await peer.completeDescription() ?? "")

        for await event in peer.events {
            guard case .video(let picture) = event else { continue }
            if !decoder.decode(picture.annexB) { await peer.needKeyframe(on: picture.track) }
        }
        await endpoint.close()
    }

    @Test("the articles show what is run here", arguments: ["DataChannelIn20Lines", "VideoTrackIn40Lines"])
    func sameText(article: String) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(
            contentsOf: root.appending(path: "Sources/Kit/HelioWebRTC/HelioWebRTC.docc/\(article).md"), encoding: .utf8)
        let own = try String(contentsOf: URL(filePath: #filePath), encoding: .utf8)
        let known = Set(own.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) })
        var programs = 0
        for (index, block) in text.components(separatedBy: "```").enumerated() where index % 2 == 1 {
            guard block.hasPrefix("swift\nimport HelioWebRTC") else { continue }
            programs += 1
            for line in block.split(separator: "\n").dropFirst() {
                #expect(known.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
            }
        }
        #expect(programs == 2)
    }
}
