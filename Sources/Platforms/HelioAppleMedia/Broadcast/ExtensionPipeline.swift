package import HelioCore
private import Synchronization

/// Scales, rotates and encodes the pictures of a broadcast extension (requirement rows 93 to 95, 139 to 142, 161 and
/// 162).
///
/// The pipeline processes one picture at a time, on the caller's thread, and retains none: besides the pictures of the
/// scaler's bounded pools, it never holds more than one captured picture. Pictures that arrive during that time, or
/// sooner than the frame rate allows, are dropped and counted.
package final class ExtensionPipeline<Sessions: CompressionSessions, Transfers: PictureTransfers>: BroadcastCoding,
    @unchecked Sendable
where Sessions.Session.Picture == Transfers.Session.Picture {
    package typealias Picture = Sessions.Session.Picture

    /// The requests of other threads, applied with the next picture; `lessened` is the number of calls of `lessen()`.
    private struct Wish {
        var needsKeyframe = true
        var bitrate: Int?
        var largest: PixelSize?
        var lessened = 0
    }

    /// The state of `take`. It is used only under the lock `busy`, so the class can be `Sendable`.
    private struct Work {
        let shaper: PictureShaper<Transfers>
        var encoder: SessionEncoder<Sessions>?
        var lastTime: Instant?
        var drops = DropCounter<PipelineDrop>()
    }

    /// The maximum number of pictures in each of the scaler's pools.
    package static var poolLimit: Int { 3 }
    /// The number of calls after which `lessen()` has no effect.
    private static var mostLessened: Int { 2 }

    private let sessions: Sessions
    private let transfers: Transfers
    private let preset: EncoderPreset
    private let codec: VideoCodec
    private let now: @Sendable () -> Instant
    private let emit: @Sendable (EncodedFrame, PixelSize) -> Void
    private let wish = Mutex(Wish())
    private let busy = Mutex(())
    private var work: Work
    private let missed = Atomic(0)

    /// - Parameters:
    ///   - now: the clock of the pictures' capture times.
    ///   - emit: called with each encoded picture and its size, on the thread that calls `take`.
    package init(
        sessions: Sessions, transfers: Transfers, preset: EncoderPreset = .broadcast, codec: VideoCodec = .h264,
        now: @escaping @Sendable () -> Instant, emit: @escaping @Sendable (EncodedFrame, PixelSize) -> Void
    ) {
        self.sessions = sessions
        self.transfers = transfers
        self.preset = preset
        self.codec = codec
        self.now = now
        self.emit = emit
        work = Work(shaper: PictureShaper(transfers, preset: preset, limit: Self.poolLimit))
    }

    package func requestKeyframe() { wish.withLock { $0.needsKeyframe = true } }

    package func keep(to bitrate: Int?, largest: PixelSize?) {
        wish.withLock { wish in
            wish.bitrate = bitrate
            wish.largest = largest
        }
    }

    package func lessen() { wish.withLock { $0.lessened = min(Self.mostLessened, $0.lessened + 1) } }

    /// The pictures that were not encoded, counted by reason.
    package var drops: DropCounter<PipelineDrop> {
        var drops = busy.withLock { _ in work.drops }
        for _ in 0..<missed.load(ordering: .relaxed) { drops.count(.busy) }
        return drops
    }

    /// Encodes a picture synchronously; drops it if another thread is encoding one.
    ///
    /// - Parameter turn: the rotation that makes the picture upright.
    package func take(_ picture: Picture, turn: PictureRotation, captured: Instant) {
        let isTaken: Void? = busy.withLockIfAvailable { _ in code(picture, turn, captured) }
        if isTaken == nil { missed.add(1, ordering: .relaxed) }
    }

    private func code(_ picture: Picture, _ turn: PictureRotation, _ captured: Instant) {
        guard isDue(captured) else { return work.drops.count(.overRate) }
        let wish = wish.withLock { wish in
            defer { wish.needsKeyframe = false }
            return wish
        }
        do throws(HelioError) {
            let isCoded = try code(picture, turn, captured, wish)
            if isCoded { work.lastTime = captured } else { work.drops.count(.allInUse) }
            if isCoded || !wish.needsKeyframe { return }
        } catch {
            work.drops.count(.failed)
        }
        // The requested keyframe was not encoded, so request it again.
        if wish.needsKeyframe { requestKeyframe() }
    }

    /// True if the frame rate allows a picture captured at this time. The picture may be up to a quarter of the
    /// interval early, as the display's clock and this machine's differ.
    private func isDue(_ captured: Instant) -> Bool {
        guard let last = work.lastTime else { return true }
        return captured - last >= .nanoseconds(1_000_000_000 / Int64(preset.framesPerSecond) * 3 / 4)
    }

    private func code(
        _ picture: Picture, _ turn: PictureRotation, _ captured: Instant, _ wish: Wish
    ) throws(HelioError) -> Bool {
        guard let shaped = try work.shaper.shape(picture, rotation: turn, largest: largest(wish)) else { return false }
        let encoder = try encoder(for: transfers.size(of: shaped), wish)
        try encoder.encode(
            shaped, damage: Region(), request: EncodeRequest(keyframe: wish.needsKeyframe),
            timing: FrameTiming(damaged: captured, captured: captured)
        ) { slice in
            emit(
                EncodedFrame(
                    annexB: slice.annexB, presentationTime: captured - .zero, isKeyframe: slice.isKeyframe),
                encoder.format.size)
        }
        return true
    }

    /// Returns the largest size that the app's limit and the calls of `lessen()` allow; `nil` for no limit.
    private func largest(_ wish: Wish) -> PixelSize? {
        guard wish.lessened > 0 else { return wish.largest }
        let quarters = 4 - wish.lessened
        let lessened = PixelSize(
            width: preset.size.width * quarters / 4, height: preset.size.height * quarters / 4)
        guard let largest = wish.largest else { return lessened }
        return largest.area < lessened.area ? largest : lessened
    }

    private func encoder(for size: PixelSize, _ wish: Wish) throws(HelioError) -> SessionEncoder<Sessions> {
        let bitrate = preset.bitrate(wanted: wish.bitrate) >> wish.lessened
        let format = VideoFormat(
            codec: codec, size: size, framesPerSecond: preset.framesPerSecond,
            bitrate: Bitrate(bitsPerSecond: max(preset.minimumBitrate / 4, bitrate)))
        guard let encoder = work.encoder else {
            let fresh = try SessionEncoder(
                format, sessions: sessions, keyframeInterval: preset.keyframeInterval, now: now)
            work.encoder = fresh
            return fresh
        }
        if encoder.format != format { try encoder.reconfigure(format) }
        return encoder
    }
}
