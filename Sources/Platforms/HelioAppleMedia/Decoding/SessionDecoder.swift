internal import HelioBitstream
package import HelioCore
private import Synchronization

/// Decodes H.264 and H.265 by decompression sessions, which it makes and replaces as needed.
///
/// The decoder is used from one thread. A session is kept while the pictures' size, profile and sample layout stay the
/// same and it accepts the parameter sets; otherwise another session is made (requirement row 74). An invalid session,
/// as after the app was in the background, is replaced (requirement row 147): immediately if the unit is a keyframe,
/// but only once per keyframe; otherwise the unit throws, and the next keyframe makes another session. At the start and
/// after any failure, units throw until a keyframe arrives.
package final class SessionDecoder<Maker: DecompressionSessionMaking>: VideoDecoding {
    package typealias Session = Maker.Session
    package typealias Picture = DecompressedPicture<Session.Buffer>

    package let codec: VideoCodec
    package private(set) var refusedSize: PixelSize?
    /// The number of sessions made.
    package private(set) var sessionsMade = 0

    private let maker: Maker
    private let mayReorder: Bool
    private let mostSamples: Int
    /// The longest wait for a picture.
    private let patience: Duration

    private var session: Session?
    /// True if the last session decoded by hardware; `nil` before the first session, and after an invalid one.
    private var usesHardware: Bool?
    /// The current parameter sets.
    private var format: DecompressionFormat?
    private var sets: NewestParameterSets
    private var awaitsKeyframe = true
    /// The description of the last picture; damage applies only if it is the same for the next picture.
    private var previous: PictureDescription?
    private var order = PictureOrder<Picture>()
    private var counts = DropCounter<DecodeDrop>()
    private let late = LateResults()

    /// - Parameters:
    ///   - mayReorder: true if pictures may be sent in another order than they are shown.
    ///   - mostSamples: the maximum number of coded luma samples in a picture.
    ///   - patience: the longest wait for a picture, after which its session is ended.
    package init(
        _ codec: VideoCodec, maker: Maker, mayReorder: Bool = false, mostSamples: Int = PictureLimit.standard,
        patience: Duration = .milliseconds(500)
    ) {
        self.codec = codec
        self.maker = maker
        self.mayReorder = mayReorder
        self.mostSamples = mostSamples
        self.patience = patience
        sets = NewestParameterSets(codec)
    }

    deinit { session?.invalidate() }

    /// The decoder's name, human-readable: 'VideoToolbox H264, hardware'; without 'hardware' or 'software' before there
    /// is a session.
    package var summary: String {
        let kind = usesHardware.map { $0 ? ", hardware" : ", software" }
        return "\(maker.name) \(codec.encodingName)\(kind ?? "")"
    }

    /// True if hardware decodes. False between an invalid session and its replacement, so that the cause, such as the
    /// app in the background, does not count as a failure of the hardware.
    package var isHardware: Bool { usesHardware ?? false }

    /// The access units and pictures that were dropped, counted by reason.
    package var drops: DropCounter<DecodeDrop> {
        var all = counts
        all.count(.late, late.count)
        all.count(.outOfOrder, order.dropped)
        return all
    }

    package func decode(_ frame: ReceivedFrame) throws(HelioError) -> Picture? {
        refusedSize = nil
        let bytes = frame.annexB.span.bytes
        if let size = PictureLimit.excess(over: mostSamples, inAnnexB: bytes, codec: codec) { throw refuse(size) }
        let unit = StreamUnit(annexB: bytes, codec: codec)
        if unit.isEmpty { throw fail(.undecodable, "The unit has nothing of \(codec.encodingName) in it") }
        try takeParameterSets(of: unit, in: bytes)
        guard unit.hasSlices else { return nil }
        if awaitsKeyframe, !unit.isKeyframe { throw fail(.awaitingKeyframe, "Waiting for a keyframe") }
        let buffer = try buffer(of: unit)
        return try finish(buffer, of: unit, frame)
    }

    package func reset() {
        endSession()
        format = nil
        sets = NewestParameterSets(codec)
        order.reset()
    }

    // MARK: Sessions

    /// Stores the unit's parameter sets, and ends the session if it can't decode with them.
    private func takeParameterSets(of unit: StreamUnit, in bytes: RawSpan) throws(HelioError) {
        guard !unit.parameterSets.isEmpty else { return }
        sets.update(bytes, AnnexB.nalUnits(in: bytes), isKeyframe: false)
        let all = sets.all
        if let format, format.parameterSets == all { return }
        guard let next = DecompressionFormat(codec: codec, parameterSets: all) else {
            // Each parameter set may arrive in a separate unit; a unit without a slice needs no session yet.
            if !unit.hasSlices { return }
            throw fail(.undecodable, "The stream's parameter sets are none of an 8-bit picture in 4:2:0 or 4:4:4")
        }
        // The caller's check covers only parameter sets before the first slice, so check again.
        if next.codedSize.area > mostSamples { throw refuse(next.codedSize) }
        let goesOn = session.map { session in
            (format.map { $0.resembles(next) } ?? false) && session.accepts(next)
        }
        format = next
        if goesOn == false { endSession() }
    }

    private func endSession() {
        session?.invalidate()
        session = nil
        awaitsKeyframe = true
        previous = nil
    }

    /// Returns the present session, or makes one if there is none.
    private func readySession(for format: DecompressionFormat) throws(HelioError) -> Session {
        if let session { return session }
        let (made, status) = maker.make(format)
        guard let made, status == .done else {
            made?.invalidate()
            if status == .invalidSession { throw fail(.invalidSession, Self.invalid) }
            counts.count(.undecodable)
            throw HelioError(
                .unsupported, "\(maker.name) has no decoder for \(codec.encodingName) of \(format.picture.size)")
        }
        sessionsMade += 1
        session = made
        usesHardware = made.isHardware
        return made
    }

    private static var invalid: String {
        "The decoder's session has ended, as it does while the app is in the background: it goes on from a keyframe"
    }

    // MARK: Pictures

    /// Decodes a unit. For a keyframe, tries a second session if the first one is invalid.
    private func buffer(of unit: StreamUnit) throws(HelioError) -> Session.Buffer {
        guard let format else { throw fail(.undecodable, "The picture came without its parameter sets") }
        var mayRetry = unit.isKeyframe
        while true {
            let result = try result(of: unit.sample, format)
            switch result.status {
            case .done:
                guard let buffer = result.buffer else { throw fail(.leftOut, "The decoder left the picture out") }
                return buffer
            case .invalidSession:
                endSession()
                usesHardware = nil
                guard mayRetry else { throw fail(.invalidSession, Self.invalid) }
                mayRetry = false
            case .badData, .unsupportedProperty, .noCoder, .other:
                throw fail(.undecodable, "The picture can't be decoded: \(result.status)")
            }
        }
    }

    private func result(
        of sample: [UInt8], _ format: DecompressionFormat
    ) throws(HelioError) -> DecompressionResult<Session.Buffer> {
        let session = try readySession(for: format)
        let reply = SessionReply<DecompressionResult<Session.Buffer>>()
        let status = session.decode(sample, format: format) { [late] result in
            if !reply.give(result) { late.add() }
        }
        guard status == .done else { return DecompressionResult(status: status, buffer: nil) }
        if let result = reply.wait(atMost: patience) { return result }
        endSession()
        throw fail(.timedOut, "The decoder gave no picture within \(patience)")
    }

    private func finish(
        _ buffer: Session.Buffer, of unit: StreamUnit, _ frame: ReceivedFrame
    ) throws(HelioError) -> Picture? {
        guard let format, let description = description(of: buffer, format) else {
            throw fail(.undecodable, "The decoder gave a picture that can't be shown")
        }
        let isSame = !unit.isKeyframe && previous == description && !mayReorder
        awaitsKeyframe = false
        previous = description
        let damage = isSame ? damage(in: frame.annexB.span.bytes, of: description.size) : nil
        let picture = Picture(
            buffer: buffer, description: description, damage: damage, frameIndex: frame.frameIndex,
            mediaTime: frame.mediaTime)
        return order.put(picture, time: frame.mediaTime, depth: mayReorder ? format.reorderedPictures : 0)
    }

    /// Returns the stream's description with the size and sample layout of the buffer; `nil` if such a buffer can't be
    /// shown.
    private func description(of buffer: Session.Buffer, _ format: DecompressionFormat) -> PictureDescription? {
        guard let samples = buffer.samples, buffer.size.area > 0 else { return nil }
        var description = format.picture
        description.size = buffer.size
        description.chroma = samples.chroma
        description.color.isFullRange = samples.isFullRange
        return description
    }

    /// Returns the damage that the source reports, expanded by the pixels that in-loop filters may change; `nil` if any
    /// part may have changed.
    private func damage(in bytes: RawSpan, of size: PixelSize) -> Region? {
        DamageMessage.find(inAnnexB: bytes, codec: codec)?.region.filtered(by: codec, within: size)
    }

    // MARK: Failures

    private func refuse(_ size: PixelSize) -> HelioError {
        refusedSize = size
        endSession()
        format = nil
        counts.count(.tooLarge)
        return HelioError(.unsupported, "A picture of \(size) is larger than may be decoded here")
    }

    private func fail(_ reason: DecodeDrop, _ message: String) -> HelioError {
        counts.count(reason)
        awaitsKeyframe = true
        return HelioError(.decoderFailed, message)
    }
}

/// Counts results that arrived after the wait had ended, on any thread.
private final class LateResults: Sendable {
    private let number = Atomic(0)

    var count: Int { number.load(ordering: .relaxed) }
    func add() { number.add(1, ordering: .relaxed) }
}
