#if canImport(HelioLinuxSource)
package import HelioAppleMedia
package import HelioCore
import Synchronization

/// Compression sessions based on x264 and x265. Like VideoToolbox, they return length-prefixed NAL units, separate
/// parameter sets, and the bytes in blocks with arbitrary boundaries. Tests inject faults.
package final class CodecSessions: CompressionSessions, Sendable {
    /// The outcome of encoding a picture.
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
        var holdsBack = false
        var completed = 0
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

    /// The outcomes of the next pictures, in order; later pictures are coded.
    package var fates: [Fate] {
        get { self[\.fates] }
        set { self[\.fates] = newValue }
    }
    /// True if every picture fails in a hardware session.
    package var hardwareFails: Bool {
        get { self[\.hardwareFails] }
        set { self[\.hardwareFails] = newValue }
    }
    /// Returns true for properties that a session refuses.
    package var refuses: @Sendable (CompressionProperty) -> Bool {
        get { self[\.refuses] }
        set { self[\.refuses] = newValue }
    }
    /// True if sessions with low-latency rate control can be made.
    package var hasLowLatency: Bool {
        get { self[\.hasLowLatency] }
        set { self[\.hasLowLatency] = newValue }
    }
    /// True if sessions of ordinary rate control give a picture only with the next one, as some Macs' encoders do.
    package var holdsBack: Bool {
        get { self[\.holdsBack] }
        set { self[\.holdsBack] = newValue }
    }
    /// The number of calls of `complete`.
    package var completed: Int { self[\.completed] }
    /// True if any session can be made.
    package var hasAny: Bool {
        get { self[\.hasAny] }
        set { self[\.hasAny] = newValue }
    }
    /// The colour description written to the stream instead of the configured one; the range remains that of the
    /// pictures.
    package var color: ColorDescription? {
        get { self[\.color] }
        set { self[\.color] = newValue }
    }
    /// The size of a NAL unit's length prefix, in bytes.
    package var lengthSize: Int {
        get { self[\.lengthSize] }
        set { self[\.lengthSize] = newValue }
    }
    /// The size of a block of the output, in bytes.
    package var blockSize: Int {
        get { self[\.blockSize] }
        set { self[\.blockSize] = newValue }
    }

    /// The specifications of the sessions made so far.
    package var made: [CompressionSpecification] { self[\.made] }
    package var invalidated: Int { self[\.invalidated] }
    /// The properties set so far.
    package var properties: [CompressionProperty] {
        get { self[\.properties] }
        set { self[\.properties] = newValue }
    }
    /// True if a keyframe was requested, for each picture.
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
    func noteCompleted() { state.withLock { $0.completed += 1 } }
    func noteInvalidated() { state.withLock { $0.invalidated += 1 } }

    /// Removes and returns the outcome of the next picture.
    func nextFate(isKeyframe: Bool, isHardware: Bool) -> Fate {
        state.withLock { state in
            state.keyframesAsked.append(isKeyframe)
            if isHardware, state.hardwareFails { return .failed }
            return state.fates.isEmpty ? .coded : state.fates.removeFirst()
        }
    }
}
#endif
