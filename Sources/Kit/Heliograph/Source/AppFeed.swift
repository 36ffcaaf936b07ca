internal import HelioCore
internal import HelioSession
internal import HelioSharing
private import Synchronization

/// The feed of an app's own encoder: takes its frames, and forwards the session's requests to it.
final class AppFeed: SourceFeed {
    private struct State {
        /// The attributes that the app codes if all viewers accept them.
        var attributes: MediaAttributes
        /// The size that the app was last asked to code.
        var agreedSize: PixelSize
        var wasWatched = false
        var isWatched = false
        var needsKeyframe = true
        var frameIndex: UInt64 = 0
        /// The app's time of its first frame and the local time then, for converting between the two.
        var anchor: (theirs: Duration, ours: Instant)?
        var refused = 0
    }

    private let plugin: any VideoSourcePlugin
    private let state: Mutex<State>
    private let sound: (any SoundFeed)?

    /// - Parameter sound: the app's own sound; `nil` if it supplies none.
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
    /// - Parameter given: the size that the app wants, if the app names it.
    /// - Returns: the size that the app wants. It is unchanged if the app only follows the agreed size, so that the app
    ///   is offered more when that is possible again.
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

    /// Asks the app for a keyframe. Other frames are sent meanwhile; only the viewer that needs the keyframe waits for
    /// it.
    func requestKeyframe(_ reason: String, of _: EncodingID) { plugin.keyframeNeeded(reason: reason) }

    /// Notes that the last frame was lost on its way to the network's thread: the next one has to be a keyframe.
    func lostFrame() {
        state.withLock { $0.needsKeyframe = true }
        plugin.keyframeNeeded(reason: "the network's thread is too slow")
    }

    /// Does nothing: the app alone decides when there is a picture.
    func repeatPicture() {}

    func setBitrate(_ bitrate: Bitrate) { plugin.bitrateSuggested(min(bitrate.bitsPerSecond, attributes.bitrate)) }

    func setSound(_ demands: [SoundOrigin: SoundDemand]) { sound?.set(demands) }

    /// Passes the agreed size and rates to the app. The codec stays the app's.
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

    /// Converts a frame to a slice for the session; `nil` if no viewer could use it, because nobody watches or a
    /// keyframe has to come first.
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

    /// The number of frames that no viewer could use.
    var refused: Int { state.withLock { $0.refused } }
}

extension MediaAttributes {
    fileprivate var size: PixelSize { PixelSize(width: width, height: height) }
}
