import HelioAppleMedia
import HelioBitstream
import HelioCore
import HelioLinuxSource
import HelioPatch
import Synchronization

/// Compression sessions based on x264, and transfer sessions that don't touch the pixels: enough to check their
/// configuration, and to get coded pictures of the right size.
final class TestSessions: CompressionSessions, Sendable {
    struct State {
        var made: [CompressionSpecification] = []
        var bitrates: [Int] = []
        var keyframes: [Bool] = []
        var failures = 0
    }

    let state = Mutex(State())

    func makeSession(_ specification: CompressionSpecification) -> Result<TestSession, SessionFailure> {
        state.withLock { $0.made.append(specification) }
        return .success(TestSession(specification, of: self))
    }

    func size(of picture: PlanarPicture) -> PixelSize { picture.size }

    var made: [CompressionSpecification] { state.withLock { $0.made } }
    var keyframes: [Bool] { state.withLock { $0.keyframes } }
    var bitrate: Int? { state.withLock { $0.bitrates.last } }
    func failNext() { state.withLock { $0.failures += 1 } }
}

/// A compression session of `TestSessions`.
final class TestSession: CompressionSession {
    private let owner: TestSessions
    private var format: VideoFormat
    private var encoder: X264Encoder?

    init(_ specification: CompressionSpecification, of owner: TestSessions) {
        self.owner = owner
        format = VideoFormat(codec: specification.codec, size: specification.size, color: .bt709)
    }

    var isHardware: Bool { true }

    func set(_ property: CompressionProperty) -> SessionStatus {
        if case .averageBitrate(let bits) = property {
            owner.state.withLock { $0.bitrates.append(bits) }
            format.bitrate = Bitrate(bitsPerSecond: bits)
        }
        if encoder != nil { try? encoder?.reconfigure(format) }
        return .done
    }

    func complete(until _: Instant) -> SessionStatus { .done }

    func encode(
        _ picture: PlanarPicture, at time: Instant, isKeyframe: Bool, reply: SessionReply<CompressionResult>
    ) -> SessionStatus {
        let fails = owner.state.withLock { state in
            state.keyframes.append(isKeyframe)
            defer { state.failures = max(0, state.failures - 1) }
            return state.failures > 0
        }
        if fails { return .other(-12912) }
        if encoder == nil { encoder = try? X264Encoder(format, threads: 1, usesPatches: false) }
        picture.markAllChanged()
        var sample = CodedSample(lengthSize: 4)
        try? encoder?.encode(
            picture, damage: Region(), request: EncodeRequest(keyframe: isKeyframe),
            timing: FrameTiming(damaged: time, captured: time)
        ) { slice in
            for range in AnnexB.nalUnits(in: slice.annexB.span.bytes) {
                let nal = Array(slice.annexB[range])
                if NALHeader.isParameterSet(nal[0], codec: .h264) {
                    sample.addParameterSet(nal.span.bytes)
                } else {
                    let length = UInt32(nal.count)
                    let unit = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: length >> $0) } + nal
                    sample.add(unit.span.bytes)
                }
            }
        }
        reply.give(.coded(sample))
        return .done
    }

    func invalidate() {}
}

/// Transfer sessions and pools that only count.
final class TestTransfers: PictureTransfers, Sendable {
    final class Transfer: PictureTransfer {
        func scale(_ picture: PlanarPicture, into result: PlanarPicture) -> SessionStatus { .done }
        func turn(
            _ picture: PlanarPicture, by rotation: PictureRotation, into result: PlanarPicture
        ) -> SessionStatus { result.size == rotation.turned(picture.size) ? .done : .other(-1) }
        func invalidate() {}
    }

    /// A pool that retains its pictures, and reuses those that nobody else references.
    final class Pool: PicturePool {
        private let size: PixelSize
        private let limit: Int
        private let count: (Int) -> Void
        private var pictures: [PlanarPicture] = []

        init(_ size: PixelSize, limit: Int, count: @escaping (Int) -> Void) {
            self.size = size
            self.limit = limit
            self.count = count
        }

        func take() -> PlanarPicture? {
            for index in pictures.indices where isKnownUniquelyReferenced(&pictures[index]) { return pictures[index] }
            guard pictures.count < limit, let fresh = try? PlanarPicture(size: size, chroma: .yuv420, color: .bt709)
            else { return nil }
            pictures.append(fresh)
            count(pictures.count)
            return fresh
        }
    }

    /// The most pictures that one pool ever had, and the sizes of the pools.
    let most = Mutex(0)
    let pools = Mutex<[PixelSize]>([])

    func makeSession() -> Result<Transfer, SessionFailure> { .success(Transfer()) }

    func makePool(_ size: PixelSize, like _: PlanarPicture, limit: Int) -> Pool? {
        pools.withLock { $0.append(size) }
        return Pool(size, limit: limit) { count in self.most.withLock { $0 = max($0, count) } }
    }

    func size(of picture: PlanarPicture) -> PixelSize { picture.size }
    func copyColor(from _: PlanarPicture, to _: PlanarPicture) {}
}
