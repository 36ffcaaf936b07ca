internal import CFFmpeg
internal import HelioBitstream
package import HelioCore

/// Decodes H.264 and H.265 with FFmpeg: each access unit returns its picture at once, without decoder delay.
///
/// The decoder may be used by one thread at a time. H.264 may also be fed in parts (`decodePart`), so that decoding
/// starts while the rest of the picture is still being encoded and sent.
///
/// Decoding starts, and resumes after a failure, with a keyframe; until then every unit throws. A unit must be
/// complete: error concealment is off, because concealed content isn't worth showing and, with parts, concealment would
/// run once per part.
package final class FFmpegDecoder: VideoDecoding {
    /// Chooses the device that decodes a codec's pictures of a size, before cropping; `nil` for software.
    typealias DeviceChoice = @Sendable (VideoCodec, PixelSize) -> (any DecodingDevice)?

    package let codec: VideoCodec
    /// True if the hardware decoded the last picture; false if FFmpeg has fallen back to software.
    private(set) var decodedByHardware = false
    /// The number of pictures that were dropped because FFmpeg returned a newer picture for the same access unit.
    package private(set) var skippedPictures = 0
    /// The number of pictures that `InPlaceDecoder` decoded into the previous picture's memory, without FFmpeg.
    package private(set) var patchedPictures = 0
    package private(set) var refusedSize: PixelSize?

    private let threads: Int
    private let mayReorder: Bool
    private let usesPatches: Bool
    let mostSamples: Int
    private var context: UnsafeMutablePointer<AVCodecContext>
    private let packet: UnsafeMutablePointer<AVPacket>
    /// The frame that FFmpeg fills; the unit's newest picture is then moved to `received`.
    private let incoming: UnsafeMutablePointer<AVFrame>
    private let received: UnsafeMutablePointer<AVFrame>
    /// The device that decodes; `nil` for software.
    private var device: (any DecodingDevice)?
    /// Chooses `device` at each keyframe; `nil` if the device never changes.
    private let choose: DeviceChoice?
    /// True once FFmpeg has decoded a picture in software that the chosen device was to decode.
    private var isDeviceUnable = false
    /// The buffer for the bytes to decode, followed by the zero padding that FFmpeg needs.
    private var input: UnsafeMutablePointer<AVBufferRef>?
    private var inputCapacity = 0
    /// Decodes small changes and scrolling of H.264 without FFmpeg; `nil` if FFmpeg decodes everything.
    private var inPlace: InPlaceDecoder?

    /// The number of decoded lines of the open unit's picture, from the top; set in FFmpeg's `draw_horiz_band`
    /// callback.
    private let decodedLines: UnsafeMutablePointer<Int32>

    /// The access unit's number. Its packets have it as the time stamp, so that a picture of an earlier unit is
    /// recognised.
    private var unit: Int64 = 0
    private var parts = PartProgress()
    private var awaitsKeyframe = true
    /// The description of the last picture; damage applies only if it is the same for the next picture.
    private var previous: PictureDescription?

    /// Makes a software decoder. Throws `unsupported` if FFmpeg has none for the codec.
    ///
    /// - Parameters:
    ///   - threads: the number of slices that are decoded in parallel. With more than 1, errors inside a slice go
    ///     unnoticed, and measurements showed no gain at 1080p.
    ///   - mayReorder: true if pictures may be sent in another order than they are shown: the decoder then delays
    ///     pictures by the reorder depth that the stream states.
    ///   - mostSamples: the maximum luma samples of a picture; larger ones are refused before memory is allocated.
    ///   - usesPatches: false to let FFmpeg decode everything, for tests.
    package convenience init(
        _ codec: VideoCodec, threads: Int = 1, mayReorder: Bool = false, mostSamples: Int = PictureLimit.standard,
        usesPatches: Bool = true
    ) throws(HelioError) {
        try self.init(
            codec, device: nil, choose: nil, threads: threads, mayReorder: mayReorder, mostSamples: mostSamples,
            usesPatches: usesPatches)
    }

    /// Makes a decoder that may use a device. Throws `unsupported` if FFmpeg has no decoder for the codec.
    ///
    /// - Parameters:
    ///   - device: the device that decodes at first; `nil` for software.
    ///   - choose: chooses the device anew at each keyframe; `nil` to keep `device`. The other parameters are those of
    ///     the software decoder.
    init(
        _ codec: VideoCodec, device: (any DecodingDevice)?, choose: DeviceChoice? = nil, threads: Int = 1,
        mayReorder: Bool = false, mostSamples: Int = PictureLimit.standard, usesPatches: Bool = true
    ) throws(HelioError) {
        av_log_set_level(AV_LOG_QUIET)
        self.codec = codec
        self.device = device
        self.choose = choose
        self.mayReorder = mayReorder
        self.mostSamples = mostSamples
        self.threads = max(1, threads)
        self.usesPatches = usesPatches
        inPlace = Self.makeInPlace(codec, device, mayReorder: mayReorder, usesPatches: usesPatches)
        let decodedLines = UnsafeMutablePointer<Int32>.allocate(capacity: 1)
        decodedLines.initialize(to: 0)
        self.decodedLines = decodedLines
        guard
            let context = Self.open(
                codec, threads: self.threads, device: device, mayReorder: mayReorder, mostSamples: mostSamples,
                lines: decodedLines)
        else {
            throw HelioError(.unsupported, "FFmpeg can't start a decoder for \(codec.encodingName)")
        }
        guard let packet = av_packet_alloc(), let incoming = av_frame_alloc(), let received = av_frame_alloc() else {
            throw HelioError(.decoderFailed, "No memory for a decoder")
        }
        self.context = context
        self.packet = packet
        self.incoming = incoming
        self.received = received
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        var packet: UnsafeMutablePointer<AVPacket>? = packet
        var incoming: UnsafeMutablePointer<AVFrame>? = incoming
        var received: UnsafeMutablePointer<AVFrame>? = received
        avcodec_free_context(&context)
        av_packet_free(&packet)
        av_frame_free(&incoming)
        av_frame_free(&received)
        av_buffer_unref(&input)
        decodedLines.deallocate()
    }

    /// The decoder's name, human-readable: 'FFmpeg H264, software'.
    package var summary: String {
        "FFmpeg \(codec.encodingName), \((device?.kind ?? .software).name)"
    }

    package var isHardware: Bool { device != nil }

    /// True if `decodePart` decodes each part immediately; false if it collects the parts until the unit is complete.
    package var decodesParts: Bool { codec == .h264 && device == nil }

    package func reset() {
        // Flushing isn't enough: values of a broken parameter set, such as its colour description, would persist.
        if !reopen(by: device) { avcodec_flush_buffers(context) }
        forget()
    }

    private func forget() {
        awaitsKeyframe = true
        previous = nil
        parts = PartProgress()
        inPlace?.reset()
    }

    /// Replaces FFmpeg's context by a new one. Returns false, and keeps the old one, if that is not possible.
    private func reopen(by device: (any DecodingDevice)?) -> Bool {
        let fresh = Self.open(
            codec, threads: threads, device: device, mayReorder: mayReorder, mostSamples: mostSamples,
            lines: decodedLines)
        guard let fresh else { return false }
        var old: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_free_context(&old)
        context = fresh
        return true
    }

    /// Continues with the device, or with software, as chosen for a keyframe's size.
    private func chooseDevice(for keyframe: [UInt8]) {
        guard let choose, let size = codedSize(in: keyframe) else { return }
        let chosen = isDeviceUnable ? nil : choose(codec, size)
        guard chosen !== device, reopen(by: chosen) else { return }
        device = chosen
        inPlace = Self.makeInPlace(codec, chosen, mayReorder: mayReorder, usesPatches: usesPatches)
        forget()
    }

    private static func makeInPlace(
        _ codec: VideoCodec, _ device: (any DecodingDevice)?, mayReorder: Bool, usesPatches: Bool
    ) -> InPlaceDecoder? {
        codec == .h264 && device == nil && !mayReorder && usesPatches ? InPlaceDecoder() : nil
    }

    private static func open(
        _ codec: VideoCodec, threads: Int, device: (any DecodingDevice)?, mayReorder: Bool, mostSamples: Int,
        lines: UnsafeMutablePointer<Int32>
    ) -> UnsafeMutablePointer<AVCodecContext>? {
        let decoder = avcodec_find_decoder(codec == .h264 ? AV_CODEC_ID_H264 : AV_CODEC_ID_HEVC)
        guard let decoder, let context = avcodec_alloc_context3(decoder) else { return nil }
        context.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        if !mayReorder { context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY }
        context.pointee.err_recognition |= AV_EF_EXPLODE
        context.pointee.thread_type = FF_THREAD_SLICE
        context.pointee.thread_count = device == nil ? Int32(threads) : 1
        // FFmpeg checks `max_pixels` only when it allocates a picture, but calls `get_format` as soon as it knows the
        // size, before it allocates tables.
        context.pointee.max_pixels = Int64(mostSamples)
        context.pointee.get_format = { context, formats in
            FFmpegDecoder.isWithinLimit(context) ? avcodec_default_get_format(context, formats) : AV_PIX_FMT_NONE
        }
        device?.attach(to: context)
        if codec == .h264, device == nil {
            context.pointee.flags2 |= AV_CODEC_FLAG2_CHUNKS
            av_opt_set_int(context.pointee.priv_data, "enable_er", 0, 0)
            context.pointee.opaque = UnsafeMutableRawPointer(lines)
            context.pointee.draw_horiz_band = { context, _, _, y, _, height in
                guard let lines = context?.pointee.opaque?.assumingMemoryBound(to: Int32.self) else { return }
                // Rows below a gap do not count, as the gap's macroblocks were not decoded.
                if y <= lines.pointee { lines.pointee = max(lines.pointee, y + height) }
            }
        }
        if avcodec_open2(context, decoder, nil) < 0 {
            var failed: UnsafeMutablePointer<AVCodecContext>? = context
            avcodec_free_context(&failed)
            return nil
        }
        return context
    }

    /// Returns true if the size that FFmpeg has read from the stream has no more than `max_pixels` samples.
    static func isWithinLimit(_ context: UnsafeMutablePointer<AVCodecContext>?) -> Bool {
        guard let context else { return false }
        return Int64(context.pointee.coded_width) * Int64(context.pointee.coded_height) <= context.pointee.max_pixels
    }

    package func begin(_ part: ReceivedPart) throws(HelioError) {
        guard decodesParts, !awaitsKeyframe else { return }
        // A part can't be decoded without the parts before it; `decode` gets all parts again with the frame.
        guard part.start.offset == 0 || part.start == parts.end else { return }
        _ = try decodePart(
            part.annexB, isFirst: part.start.offset == 0, isLast: false, isKeyframe: false, frameIndex: 0, mediaTime: 0)
        parts.end = part.end
    }

    package func decode(_ frame: ReceivedFrame) throws(HelioError) -> DecodedPicture? {
        if frame.isKeyframe { chooseDevice(for: frame.annexB) }
        if frame.handedOut > 0, parts.isOpen {
            guard frame.rest == parts.end else {
                fail()
                throw HelioError(.decoderFailed, "A part of the picture was left out")
            }
            return try decodePart(
                Array(frame.annexB[frame.handedOut...]), isFirst: false, isLast: true, isKeyframe: frame.isKeyframe,
                frameIndex: frame.frameIndex, mediaTime: frame.mediaTime)
        }
        return try decodePart(
            frame.annexB, isFirst: true, isLast: true, isKeyframe: frame.isKeyframe, frameIndex: frame.frameIndex,
            mediaTime: frame.mediaTime)
    }

    /// Decodes consecutive complete NAL units of an access unit, in Annex B form. All units must be passed, in order.
    ///
    /// Returns the picture after the last part. If parts are fed as they arrive, only the last part remains to be
    /// decoded when it arrives. Throws, and drops the unit, if a part can't be decoded or is too large, or the unit's
    /// first part was lost.
    package func decodePart(
        _ annexB: [UInt8], isFirst: Bool, isLast: Bool, isKeyframe: Bool, frameIndex: UInt64, mediaTime: Int64
    ) throws(HelioError) -> DecodedPicture? {
        refusedSize = nil
        if let size = excess(in: annexB) { throw refuse(size) }
        if isFirst, isLast, !parts.isOpen, let inPlace,
            let picture = inPlace.decode(annexB, frameIndex: frameIndex, mediaTime: mediaTime)
        {
            patchedPictures += 1
            return picture
        }
        if isFirst {
            let wasOpen = parts.isOpen
            if wasOpen, !completeUnit() { fail() }
            decodedLines.pointee = 0
            unit += 1
            parts = PartProgress(isOpen: true, damage: damage(in: annexB, isKeyframe: isKeyframe || wasOpen))
        } else if !parts.isOpen {
            throw HelioError(.decoderFailed, "The beginning of the picture was lost")
        }
        // FFmpeg's H.265 decoder would return pictures whose references are missing.
        if awaitsKeyframe, codec == .h265, !isKeyframe {
            parts = PartProgress()
            throw HelioError(.decoderFailed, "Waiting for a keyframe")
        }
        if decodesParts {
            guard let bytes = inPlace.map({ $0.forFFmpeg(annexB) }) ?? annexB else {
                fail()
                throw HelioError(.decoderFailed, "The picture can't be decoded: a slice is cut off")
            }
            try feed(bytes)
        } else if !isFirst || !isLast {
            parts.gathered += annexB
            if isLast { try feed(parts.gathered) }
        } else {
            try feed(annexB)
        }
        guard isLast else { return nil }
        if !parts.hasPicture { return try finishWithoutPicture(annexB, isKeyframe: isKeyframe) }
        return try finish(frameIndex: frameIndex, mediaTime: mediaTime)
    }

    /// Completes a picture whose last slices were lost with content from the previous picture, so that the repair
    /// picture that follows has a reference.
    ///
    /// - Returns: false if the picture can't be completed.
    private func completeUnit() -> Bool {
        defer {
            parts = PartProgress()
            inPlace?.forgetPicture()
        }
        if !parts.hasPicture {
            guard !awaitsKeyframe, let slice = inPlace?.substitute(after: Int(decodedLines.pointee)) else {
                return false
            }
            do { try feed(slice) } catch { return false }
        }
        let isWhole = parts.hasPicture
        av_frame_unref(received)
        return isWhole
    }

    /// Sends bytes to the decoder, and moves the newest picture that they complete to `received`.
    private func feed(_ bytes: [UInt8]) throws(HelioError) {
        let status = send(bytes)
        if status < 0 {
            if !Self.isWithinLimit(context) {
                throw refuse(
                    PixelSize(width: Int(context.pointee.coded_width), height: Int(context.pointee.coded_height)))
            }
            fail()
            throw HelioError(.decoderFailed, "The picture can't be decoded: \(Self.text(status))")
        }
        while true {
            let status = avcodec_receive_frame(context, incoming)
            if status == helio_av_again() { return }
            if status < 0 {
                fail()
                throw HelioError(.decoderFailed, "The picture can't be decoded: \(Self.text(status))")
            }
            // Keep only the newest picture.
            if parts.hasPicture { skippedPictures += 1 }
            parts.hasPicture = true
            av_frame_unref(received)
            av_frame_move_ref(received, incoming)
            let corrupt = received.pointee.flags & AV_FRAME_FLAG_CORRUPT != 0
            if corrupt || received.pointee.decode_error_flags & Self.seriousErrors != 0 {
                fail()
                throw HelioError(.decoderFailed, "The picture was damaged")
            }
        }
    }

    /// The decoding errors that make a picture unusable. `FF_DECODE_ERROR_DECODE_SLICES` is not among them: without
    /// concealment, the H.264 decoder sets it for complete pictures too, and a slice that can't be decoded makes `send`
    /// fail.
    private static let seriousErrors =
        FF_DECODE_ERROR_INVALID_BITSTREAM | FF_DECODE_ERROR_MISSING_REFERENCE | FF_DECODE_ERROR_CONCEALMENT_ACTIVE

    private func send(_ bytes: [UInt8]) -> Int32 {
        guard !bytes.isEmpty else { return 0 }
        guard let input = room(for: bytes.count), let buffer = av_buffer_ref(input) else {
            return helio_av_end()
        }
        bytes.withUnsafeBytes { bytes in
            let target = UnsafeMutableRawPointer(input.pointee.data!)
            target.copyMemory(from: bytes.baseAddress!, byteCount: bytes.count)
            (target + bytes.count).initializeMemory(
                as: UInt8.self, repeating: 0, count: Int(AV_INPUT_BUFFER_PADDING_SIZE))
        }
        packet.pointee.buf = buffer
        packet.pointee.data = input.pointee.data
        packet.pointee.size = Int32(bytes.count)
        packet.pointee.pts = unit
        let status = avcodec_send_packet(context, packet)
        av_packet_unref(packet)
        return status
    }

    /// Returns an input buffer with space for `count` bytes: a new one if the present one is too small or FFmpeg still
    /// references it.
    private func room(for count: Int) -> UnsafeMutablePointer<AVBufferRef>? {
        let needed = count + Int(AV_INPUT_BUFFER_PADDING_SIZE)
        if let input, inputCapacity >= needed, av_buffer_is_writable(input) != 0 { return input }
        av_buffer_unref(&input)
        inputCapacity = max(needed * 2, 64 * 1024)
        input = av_buffer_alloc(inputCapacity)
        return input
    }

    /// Ends a unit without a picture. Returns `nil` if that is normal: the unit has no slices, or the picture is
    /// delayed by reordering. Throws otherwise, as the unit was incomplete.
    private func finishWithoutPicture(_ last: [UInt8], isKeyframe: Bool) throws(HelioError) -> DecodedPicture? {
        let wasWaiting = awaitsKeyframe && !isKeyframe
        parts = PartProgress()
        inPlace?.forgetPicture()
        guard hasSlices(last) else { return nil }
        if mayReorder, isKeyframe || !awaitsKeyframe {
            awaitsKeyframe = false
            return nil
        }
        fail()
        throw HelioError(.decoderFailed, wasWaiting ? "Waiting for a keyframe" : "The picture wasn't whole")
    }

    private func finish(frameIndex: UInt64, mediaTime: Int64) throws(HelioError) -> DecodedPicture {
        let progress = parts
        parts = PartProgress()
        defer { av_frame_unref(received) }
        guard let own = av_frame_alloc() else {
            throw HelioError(.decoderFailed, "No memory for a picture")
        }
        let isCurrent = received.pointee.pts == unit
        decodedByHardware = device?.holds(received) ?? false
        if device != nil, !decodedByHardware { isDeviceUnable = true }
        if let device, decodedByHardware {
            let status = device.download(received, to: own)
            if status < 0 {
                var unused: UnsafeMutablePointer<AVFrame>? = own
                av_frame_free(&unused)
                throw HelioError(.decoderFailed, "The picture can't be read back: \(Self.text(status))")
            }
        } else {
            av_frame_move_ref(own, received)
        }
        let layout = SampleLayout(of: own.pointee)
        let isSame = isCurrent && previous != nil && previous == layout?.description
        let size = PixelSize(width: Int(own.pointee.width), height: Int(own.pointee.height))
        let damage = isSame ? progress.damage?.filtered(by: codec, within: size) : nil
        guard let layout else {
            var unused: UnsafeMutablePointer<AVFrame>? = own
            av_frame_free(&unused)
            throw HelioError(.unsupported, "Only 8-bit 4:2:0 and 4:4:4 pictures in YCbCr can be shown")
        }
        awaitsKeyframe = false
        previous = layout.description
        let memory = PictureMemory(owning: own)
        if isCurrent {
            inPlace?.note(memory, layout: layout, frameIndex: frameIndex)
        } else {
            inPlace?.forgetPicture()
        }
        return DecodedPicture(
            in: memory, layout: layout, damage: damage, frameIndex: frameIndex, mediaTime: mediaTime)
    }

    private func refuse(_ size: PixelSize) -> HelioError {
        refusedSize = size
        fail()
        return HelioError(.unsupported, "A picture of \(size) is larger than may be decoded here")
    }

    /// Drops the unit and resets the decoder: a partly decoded picture can't be a reference for later ones.
    private func fail() {
        av_frame_unref(received)
        reset()
    }

    private static func text(_ status: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)) { buffer in
            av_strerror(status, buffer.baseAddress!, buffer.count)
            return String(cString: buffer.baseAddress!)
        }
    }
}

/// The progress of an access unit's parts.
private struct PartProgress {
    var isOpen = false
    var hasPicture = false
    /// The end of the unit's last `ReceivedPart`; `nil` if the unit was not received in parts.
    var end: ReceivedPart.Place?
    var damage: Region?
    /// The parts received so far, if the decoder can decode only complete units.
    var gathered: [UInt8] = []
}
