import Foundation
import HelioAdmission
import HelioCore
import HelioGround
import HelioHost
import HelioProtection
import HelioServing
import HelioSession
import HelioStores
import HelioTLS
import HelioTestPrograms
import NIOCore
import NIOPosix
import Synchronization

@testable import Heliograph

/// A host for browsers with one still picture, and the sound of `ToneCoder`.
final class SoundingHost: Sendable {
    private struct State {
        var wanted: [SoundOrigin: SoundDemand] = [:]
        var owesKeyframe = false
        var isOver = false
        /// The sample frames of the tone so far, sent or not.
        var time: Int64 = 0
    }

    static let size = PixelSize(width: 320, height: 240)

    private let state = Mutex(State())
    private let server: SourceServer
    private let web: WebEndpoint
    private let stream: StreamMailbox
    private let group: MultiThreadedEventLoopGroup
    private let picture: [UInt8]
    private let folder: String

    private static let keyframe = Result { try makePicture() }

    init(sound: Set<SoundOrigin> = [.system]) async throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("helio-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        picture = try Self.keyframe.get()
        group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let identity = try Identity.loadOrCreate(in: folder)
        stream = StreamMailbox(on: group.next())
        var options = WebOptions()
        options.port = 0
        web = try await WebEndpoint(
            options, address: "127.0.0.1", bitrate: .megabits(8), identity: identity,
            strangers: StrangerLimit(), on: group.next())
        var settings = SourceHost.Settings(
            format: VideoFormat(codec: .h264, size: Self.size, framesPerSecond: 10), allowsControl: false,
            web: web.settings)
        settings.sound = sound
        let box = Box()
        server = try await SourceServer.start(
            .init(address: "127.0.0.1", port: 0, host: settings), identity: identity, web: web.serving, stream: stream,
            observer: box, on: group.next())
        box.host = self
        await web.open(for: server)
        let thread = Thread { [self] in play() }
        thread.name = "tone"
        thread.start()
    }

    /// Passes the server's events to the host, which is made after the server.
    private final class Box: HostObserver {
        private let value = Mutex<SoundingHost?>(nil)
        var host: SoundingHost? {
            get { value.withLock { $0 } }
            set { value.withLock { $0 = newValue } }
        }

        func handle(_ event: SourceHost.Event) { host?.take(event) }
        func note(_ sentence: String) {}
    }

    func stop() async {
        state.withLock { $0.isOver = true }
        await server.stop()
        await web.stop()
        try? await group.shutdownGracefully()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// The page's address with a link's secret.
    func link() async throws -> String {
        let secret = try await server.currentSecret()
        let link = ShareLink(host: "127.0.0.1", port: 1, fingerprint: nil, secret: secret.bytes)
        return "\(web.url)#\(link.code)"
    }

    /// The requested encodes of the sound; `nil` if nobody listens.
    var demand: SoundDemand? { state.withLock { $0.wanted[.system] } }

    /// The sample frames of the tone so far, whether anybody listens or not.
    var time: Int64 { state.withLock { $0.time } }

    /// Sends the picture once more.
    func showPicture() { state.withLock { $0.owesKeyframe = true } }

    private func take(_ event: SourceHost.Event) {
        state.withLock { state in
            switch event {
            case .keyframeNeeded: state.owesKeyframe = true
            case .soundWanted(let wanted): state.wanted = wanted
            default: break
            }
        }
    }

    /// Makes a keyframe with FFmpeg.
    private static func makePicture() throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("helio-\(UUID().uuidString).h264").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let coder = try RunningProgram(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc2=size=\(size):rate=1", "-frames:v", "1", "-pix_fmt",
                "yuv420p", "-c:v", "libx264", "-profile:v", "baseline", "-tune", "zerolatency", "-f", "h264", file,
            ], environment: [:])
        guard coder.waitUntilExit() == 0, let data = FileManager.default.contents(atPath: file) else {
            throw BrowserError(description: "FFmpeg codes no picture: \(coder.text)")
        }
        return Array(data)
    }

    /// Sends until the host stops: sound in real time, in packets of the requested encodes, and a picture on request
    /// and every second.
    private func play() {
        let begun = MonotonicClock.now
        guard let coders = try? [SoundEncode.opus, .thinOpus].map({ try ToneCoder($0) }) else { return }
        var due = coders.map { _ in Int64(0) }
        var nextPicture = begun
        var index: UInt64 = 0
        while true {
            let now = MonotonicClock.now
            let (wanted, owesKeyframe, isOver) = state.withLock { state in
                defer { state.owesKeyframe = false }
                return (state.wanted[.system]?.encodes ?? [], state.owesKeyframe, state.isOver)
            }
            if isOver { return }
            if owesKeyframe || now >= nextPicture {
                nextPicture = now + .seconds(1)
                _ = stream.put(
                    EncodedSlice(
                        frameIndex: index, annexB: picture, isFirst: true, isLast: true, isKeyframe: true,
                        timing: FrameTiming(damaged: now, captured: now)))
                index += 1
            }
            let heard = (now - begun).nanoseconds * 48 / 1_000_000
            state.withLock { $0.time = heard }
            for (number, coder) in coders.enumerated() {
                while due[number] + Int64(coder.frames) <= heard {
                    let time = due[number]
                    due[number] += Int64(coder.frames)
                    guard wanted.contains(coder.encode), let payload = try? coder.packet(at: time) else { continue }
                    stream.put(
                        EncodedSound(
                            encode: coder.encode, payload: payload, mediaTime: time, frames: coder.frames,
                            captured: begun + .nanoseconds(time * 1_000_000 / 48)))
                }
            }
            usleep(2000)
        }
    }
}
