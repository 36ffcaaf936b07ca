internal import HelioAndroid
internal import HelioCore
internal import HelioSharing
private import Synchronization

/// Passes a phone's events to a source, on the phone's event loop, and tells when the phone is ready.
final class PhoneReceiver: Sendable {
    /// The phone's serial number, model and screen.
    struct Ready: Sendable {
        let serial: String
        let model: String
        let screen: PixelSize
    }

    struct Counts: Sendable {
        var unwatched = 0
        var soundsRefused = 0
    }

    private struct State {
        var source: MirrorSource?
        var clipboard: PhoneClipboard?
        var video: MediaAttributes?
        var readiness: Result<Ready, HelioError>?
        var waiting: CheckedContinuation<Result<Ready, HelioError>, Never>?
        /// The reason for the end of the phone, from the time when it was ready.
        var failure: HelioError?
        var counts = Counts()
    }

    private let plugin: PhonePlugin
    private let onWait: @Sendable (HelioError) -> Void
    private let state = Mutex(State())

    /// - Parameter onWait: called with what the person has to do, while the phone is not ready for the first time.
    init(_ plugin: PhonePlugin, onWait: @escaping @Sendable (HelioError) -> Void) {
        self.plugin = plugin
        self.onWait = onWait
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// Waits until the phone is ready for the first time. Throws the reason why it will not be.
    func ready() async throws(HelioError) -> Ready {
        let result = await withCheckedContinuation { waiting in
            let known = state.withLock { state in
                if state.readiness == nil { state.waiting = waiting }
                return state.readiness
            }
            if let known { waiting.resume(returning: known) }
        }
        return try result.get()
    }

    /// Passes events to this source from now on. Throws the reason if the phone has ended for good meanwhile.
    func begin(_ source: MirrorSource, _ clipboard: PhoneClipboard?, video: MediaAttributes) throws(HelioError) {
        let failure = state.withLock { state in
            state.source = source
            state.clipboard = clipboard
            state.video = video
            return state.failure
        }
        if let failure { throw failure }
    }

    func end() { state.withLock { $0.source = nil } }

    func take(_ event: AndroidEvent) {
        let source = state.withLock { $0.source }
        switch event {
        case .ready(let serial, let model, let screen, _):
            if !settle(.success(Ready(serial: serial, model: model, screen: screen))) {
                note("The phone is connected again.")
            }
        case .format(let codec, let size, _): change(codec, size)
        case .picture(let picture):
            let frame = EncodedFrame(
                annexB: picture.annexB, presentationTime: picture.captured - .zero, isKeyframe: picture.isKeyframe)
            if let source, (try? source.write(frame)) == true { return }
            state.withLock { $0.counts.unwatched += 1 }
        case .sound(let bytes, let captured): hear(bytes, captured, source)
        case .clipboard(let text): state.withLock { $0.clipboard }?.copied(text)
        case .waiting(let trouble):
            if source != nil { note(trouble.error.message) } else { onWait(trouble.error) }
        case .note(let text): note(text)
        case .failed(let trouble):
            if settle(.failure(trouble.error)) { return }
            let source = state.withLock { state in
                state.failure = trouble.error
                return state.source
            }
            source?.serving.events.put(.failed(trouble.error))
            source?.serving.events.finish()
        }
    }

    /// Answers who waits for readiness, the first time.
    private func settle(_ result: Result<Ready, HelioError>) -> Bool {
        let (isFirst, waiting) = state.withLock { state in
            guard state.readiness == nil else {
                return (false, nil as CheckedContinuation<Result<Ready, HelioError>, Never>?)
            }
            state.readiness = result
            defer { state.waiting = nil }
            return (true, state.waiting)
        }
        waiting?.resume(returning: result)
        return isFirst
    }

    private func change(_ codec: VideoCodec, _ size: PixelSize) {
        let liked = plugin.liked(coding: size)
        let (source, before) = state.withLock { ($0.source, $0.video) }
        guard let source, let before else { return }
        var video = before
        video.format = codec == .h264 ? .avc : .hevc
        video.width = size.width
        video.height = size.height
        do throws(HelioError) {
            if video != before { try source.changeAttributes(video, wantedSize: liked) }
            state.withLock { $0.video = video }
        } catch {
            note("The phone's picture can't be shared. \(error.message)")
        }
    }

    private func hear(_ bytes: [UInt8], _ captured: Instant, _ source: MirrorSource?) {
        let samples = stride(from: 0, to: bytes.count - 1, by: 2).map {
            Int16(bitPattern: UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]))
        }
        do throws(HelioError) {
            try source?.write(
                sound: SoundSamples(samples, presentationTime: captured - .zero), of: .system)
        } catch {
            state.withLock { $0.counts.soundsRefused += 1 }
        }
    }

    private func note(_ text: String) { state.withLock { $0.source }?.serving.events.put(.info(text)) }
}
