#if canImport(HelioLinuxSource)
package import HelioAppleMedia
package import HelioCore
import Synchronization

/// Compression sessions with real codecs, x264 and x265, that give samples as VideoToolbox does: NAL units behind lengths,
/// parameter sets apart, and the bytes in blocks that end anywhere. They misbehave as they are told to.
package final class CodecSessions: CompressionSessions, Sendable {
    /// What the next picture comes to.
    package enum Fate: Sendable {
        case coded
        case dropped
        case invalid
        case failed
        case silent
        case truncated
        case withoutParameterSets
    }

    private struct State: Sendable {
        var fates: [Fate] = []
        var hardwareFails = false
        var refuses: @Sendable (CompressionProperty) -> Bool = { _ in false }
        var hasLowLatency = true
        var hasAny = true
        var color: ColorDescription?
        var lengthSize = 4
        var blockSize = 1000
        var made: [CompressionSpecification] = []
        var invalidated = 0
        var properties: [CompressionProperty] = []
        var keyframesAsked: [Bool] = []
    }

    private let state = Mutex(State())

    package init() {}

    private subscript<Value: Sendable>(_ path: any WritableKeyPath<State, Value> & Sendable) -> Value {
        get { state.withLock { $0[keyPath: path] } }
        set { state.withLock { $0[keyPath: path] = newValue } }
    }

    /// What happens to pictures, in turn; then all are coded.
    package var fates: [Fate] {
        get { self[\.fates] }
        set { self[\.fates] = newValue }
    }
    /// True: every picture that goes to hardware fails.
    package var hardwareFails: Bool {
        get { self[\.hardwareFails] }
        set { self[\.hardwareFails] = newValue }
    }
    /// The properties that are refused.
    package var refuses: @Sendable (CompressionProperty) -> Bool {
        get { self[\.refuses] }
        set { self[\.refuses] = newValue }
    }
    /// False: there is no session with low-latency rate control.
    package var hasLowLatency: Bool {
        get { self[\.hasLowLatency] }
        set { self[\.hasLowLatency] = newValue }
    }
    /// False: there is none at all.
    package var hasAny: Bool {
        get { self[\.hasAny] }
        set { self[\.hasAny] = newValue }
    }
    /// What the stream says of its colours instead of what it was told; the range is the pictures' own all the same.
    package var color: ColorDescription? {
        get { self[\.color] }
        set { self[\.color] = newValue }
    }
    /// The bytes of a length.
    package var lengthSize: Int {
        get { self[\.lengthSize] }
        set { self[\.lengthSize] = newValue }
    }
    /// The bytes of a block.
    package var blockSize: Int {
        get { self[\.blockSize] }
        set { self[\.blockSize] = newValue }
    }

    /// The sessions that were made.
    package var made: [CompressionSpecification] { self[\.made] }
    package var invalidated: Int { self[\.invalidated] }
    /// The properties that were set.
    package var properties: [CompressionProperty] {
        get { self[\.properties] }
        set { self[\.properties] = newValue }
    }
    /// For each picture whether it was to be a keyframe.
    package var keyframesAsked: [Bool] { self[\.keyframesAsked] }

    package func makeSession(_ specification: CompressionSpecification) -> Result<CodecSession, SessionFailure> {
        let isMade = state.withLock { state in
            guard state.hasAny, state.hasLowLatency || !specification.isLowLatency else { return false }
            state.made.append(specification)
            return true
        }
        return isMade ? .success(CodecSession(specification, of: self)) : .failure(SessionFailure(.noCoder))
    }

    package func size(of picture: FakePixels) -> PixelSize { picture.size }

    func note(_ property: CompressionProperty) { state.withLock { $0.properties.append(property) } }
    func noteInvalidated() { state.withLock { $0.invalidated += 1 } }

    /// What the next picture comes to.
    func nextFate(isKeyframe: Bool, isHardware: Bool) -> Fate {
        state.withLock { state in
            state.keyframesAsked.append(isKeyframe)
            if isHardware, state.hardwareFails { return .failed }
            return state.fates.isEmpty ? .coded : state.fates.removeFirst()
        }
    }
}
#endif
