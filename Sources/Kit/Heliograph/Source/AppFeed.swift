internal import HelioCore
internal import HelioSession
internal import HelioSharing
private import Synchronization

/// The feed of an app's own encoder: accepts the app's frames, and forwards the session's requests to the app's plugin.
final class AppFeed: SourceFeed {
    private struct State {
        /// The attributes that the app uses if all viewers accept them.
        var attributes: MediaAttributes
        /// The size that the viewers have agreed on, which the app was last asked to use.
        var agreedSize: PixelSize
        var wasWatched = false
        var isWatched = false
        var needsKeyframe = true
        var frameIndex: UInt64 = 0
        /// The presentation time of the app's first frame, and the local time then, for converting app times to local
        /// times.
        var anchor: (theirs: Duration, ours: Instant)?
        var refused = 0
    }

    private let plugin: any VideoSourcePlugin
    private let state: Mutex<State>
    private let sound: (any SoundFeed)?

    /// - Parameter sound: the app's own sound; `nil` if the app supplies no sound.
    init(_ plugin: any VideoSourcePlugin, attributes: MediaAttributes, sound: (any SoundFeed)?) {
        self.plugin = plugin
        self.sound = sound
        state = Mutex(State(attributes: attributes, agreedSize: attributes.size))
    }

    func begin() { plugin.initialize(attributes) }

    private var attributes: MediaAttributes { state.withLock { $0.attributes } }

    func stop() { plugin.stop() }

    /// Changes the attributes of the stream; the next frame has to be a keyframe.
    ///
    /// - Parameter given: the size that the app prefers; `nil` to derive it from `attributes`.
    /// - Returns: the size that the app prefers. It stays unchanged if `attributes` have the agreed size, so that the
    ///   app is asked for a larger size when that is possible again.
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

    /// Asks the app for a keyframe. Other frames are sent until it arrives; only the viewer that needs the keyframe
    /// waits.
    func requestKeyframe(_ reason: String, of _: EncodingID) { plugin.keyframeNeeded(reason: reason) }

    /// Reports that the last frame was dropped before it reached the network's thread: the next frame has to be a
    /// keyframe, which the app is asked for.
    func lostFrame() {
        state.withLock { $0.needsKeyframe = true }
        plugin.keyframeNeeded(reason: "the network's thread is too slow")
    }

    /// Ignores the request, as only the app decides when there is a picture.
    func repeatPicture() {}

    func setBitrate(_ bitrate: Bitrate) { plugin.bitrateSuggested(min(bitrate.bitsPerSecond, attributes.bitrate)) }

    func setSound(_ demands: [SoundOrigin: SoundDemand]) { sound?.set(demands) }

    /// Passes the agreed size, frame rate and bitrate to the app. The app alone chooses the codec.
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

    /// Converts a frame to a slice for the session. Returns `nil` if no viewer can use the frame, because nobody
    /// watches or a keyframe has to come first.
    ///
    /// Throws `invalidArgument` for a frame that is not an access unit in Annex B format.
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

    /// The number of frames that were discarded because nobody watched or a keyframe had to come first.
    var refused: Int { state.withLock { $0.refused } }
}

extension MediaAttributes {
    fileprivate var size: PixelSize { PixelSize(width: width, height: height) }
}
