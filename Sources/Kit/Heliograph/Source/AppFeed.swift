internal import HelioCore
internal import HelioSession
internal import HelioViewing
private import Synchronization

/// The feed of an app's own encoder: takes its frames, and passes on the session's requests to it.
final class AppFeed: SourceFeed {
    private struct State {
        /// The attributes that the app codes where all viewers take them.
        var attributes: MediaAttributes
        /// The size that the app was told to code.
        var agreedSize: PixelSize
        var wasWatched = false
        var isWatched = false
        var needsKeyframe = true
        var frameIndex: UInt64 = 0
        /// The app's time of its first frame with the time here, to convert the one to the other.
        var anchor: (theirs: Duration, ours: Instant)?
        var refused = 0
    }

    private let plugin: any VideoSourcePlugin
    private let state: Mutex<State>
    private let soundWanted: @Sendable ([SoundOrigin: SoundDemand]) -> Void

    init(
        _ plugin: any VideoSourcePlugin, attributes: MediaAttributes,
        soundWanted: @escaping @Sendable ([SoundOrigin: SoundDemand]) -> Void = { _ in }
    ) {
        self.plugin = plugin
        self.soundWanted = soundWanted
        state = Mutex(State(attributes: attributes, agreedSize: attributes.size))
    }

    func begin() { plugin.initialize(attributes) }

    private var attributes: MediaAttributes { state.withLock { $0.attributes } }

    func end() { plugin.stop() }

    /// Takes other attributes of the stream; only a keyframe can follow.
    ///
    /// - Parameter given: the size that the app wants, where it says so itself.
    /// - Returns: the size that the app wants. It stays what it was where the app only follows the agreement, so that
    ///   it is told when more is possible again.
    func change(to attributes: MediaAttributes, wanted given: PixelSize? = nil) -> PixelSize {
        state.withLock { state in
            state.needsKeyframe = true
            let (size, wanted) = (attributes.size, given ?? state.attributes.size)
            state.attributes = attributes
            if given != nil || size == state.agreedSize {
                state.attributes.width = wanted.width
                state.attributes.height = wanted.height
                return wanted
            }
            state.agreedSize = size
            return size
        }
    }

    /// Asks the app for a keyframe. Frames go on meanwhile: a viewer that needs the keyframe waits for it, others do
    /// not.
    func requestKeyframe(_ reason: String, of _: EncodingID) { plugin.keyframeNeeded(reason: reason) }

    /// Takes note that the last frame was lost on its way to the network: only a keyframe can follow.
    func lostFrame() {
        state.withLock { $0.needsKeyframe = true }
        plugin.keyframeNeeded(reason: "the network's thread is too slow")
    }

    /// Does nothing: the app decides when there is a picture.
    func repeatPicture() {}

    func setBitrate(_ bitrate: Bitrate) { plugin.bitrateSuggested(min(bitrate.bitsPerSecond, attributes.bitrate)) }

    func setSound(_ demands: [SoundOrigin: SoundDemand]) { soundWanted(demands) }

    /// Tells the app the agreed size and rates. The codec is the app's own.
    func agree(on agreement: StreamAgreement) {
        let format = agreement.format
        state.withLock { $0.agreedSize = format.size }
        var agreed = attributes
        agreed.width = format.size.width
        agreed.height = format.size.height
        agreed.framesPerSecond = format.framesPerSecond
        agreed.bitrate = format.bitrate.bitsPerSecond
        plugin.attributesChanged(agreed)
    }

    func setWatched(_ watched: Bool) {
        let isFirst = state.withLock { state -> Bool? in
            if state.isWatched == watched { return nil }
            state.isWatched = watched
            if watched { state.needsKeyframe = true }
            defer { state.wasWatched = state.wasWatched || watched }
            return !state.wasWatched
        }
        guard let isFirst else { return }
        if watched {
            isFirst ? plugin.start() : plugin.resume()
        } else {
            plugin.pause()
        }
    }

    /// Makes the session's slice of a frame; `nil` where no viewer could use it: nobody watches, or a keyframe is due.
    ///
    /// Throws `invalidArgument` for a frame that is no access unit.
    func slice(of frame: EncodedFrame, now: Instant) throws(HelioError) -> EncodedSlice? {
        let bytes = frame.annexB
        let hasStartCode =
            bytes.count > 4 && bytes[0] == 0 && bytes[1] == 0 && (bytes[2] == 1 || bytes[2] == 0 && bytes[3] == 1)
        guard hasStartCode else {
            throw HelioError(
                .invalidArgument,
                "The frame is not in Annex-B form: it has to begin with a start code, 0 0 1 or 0 0 0 1.")
        }
        return state.withLock { state in
            guard state.isWatched, frame.isKeyframe || !state.needsKeyframe else {
                state.refused += 1
                return nil
            }
            if frame.isKeyframe { state.needsKeyframe = false }
            let anchor = state.anchor ?? (frame.presentationTime, now)
            state.anchor = anchor
            let captured = anchor.ours + (frame.presentationTime - anchor.theirs)
            defer { state.frameIndex += 1 }
            return EncodedSlice(
                frameIndex: state.frameIndex, annexB: bytes, isFirst: true, isLast: true, isKeyframe: frame.isKeyframe,
                timing: FrameTiming(damaged: captured, captured: captured, converted: captured, encoded: now))
        }
    }

    /// The number of frames that no viewer could use.
    var refused: Int { state.withLock { $0.refused } }
}

extension MediaAttributes {
    fileprivate var size: PixelSize { PixelSize(width: width, height: height) }
}
