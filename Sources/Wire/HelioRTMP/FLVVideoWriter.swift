import HelioBitstream
package import HelioCore

/// Converts access units to FLV video tags. Whenever the parameter sets change, they are sent before the picture, as a
/// decoder configuration record.
package struct FLVVideoWriter: Sendable {
    /// The tags of an access unit.
    package struct Output: Sendable {
        /// The configuration to send before the picture, if it has changed.
        package var configuration: FLVVideoTag?
        package var picture: FLVVideoTag
        package var isKeyframe: Bool
    }

    /// The maximum size of a picture in bytes, which is less than RTMP allows.
    package static let maximumPicture = 8 << 20

    private let codec: VideoCodec
    private var sets: NewestParameterSets
    private var record: [UInt8] = []

    package init(_ codec: VideoCodec) {
        self.codec = codec
        sets = NewestParameterSets(codec)
    }

    /// The pictures' size, from the newest parameter sets.
    package var size: PixelSize? { sets.size }

    /// - Parameters:
    ///   - annexB: NAL units with start codes.
    ///   - offset: milliseconds from the decoding time to the presentation time.
    package mutating func write(annexB: [UInt8], offset: Int32 = 0) throws(FLVVideoFault) -> Output {
        guard annexB.count <= Self.maximumPicture else { throw .tooLarge }
        let bytes = annexB.span.bytes
        var sample: [UInt8] = []
        sample.reserveCapacity(annexB.count + 16)
        var found: [Range<Int>] = []
        var (isKeyframe, hasPicture) = (false, false)
        AnnexB.forEachNALUnit(in: bytes) { range in
            guard let header = bytes.uint8(at: range.lowerBound), range.count >= NALHeader.size(codec),
                NALHeader.isNALUnit(header, codec: codec)
            else { return }
            if NALHeader.isParameterSet(header, codec: codec) { return found.append(range) }
            // Delimiters are dropped, as each message is one access unit.
            if NALHeader.isDelimiter(header, codec: codec) { return }
            isKeyframe = isKeyframe || NALHeader.isKeyframe(header, codec: codec)
            hasPicture = hasPicture || NALHeader.isVCL(header, codec: codec)
            sample.append(bigEndian: UInt32(range.count))
            sample.append(bytes, range)
        }
        let hasSets = sets.update(bytes, found, isKeyframe: true) != nil
        guard hasPicture else { throw .noPicture }
        guard sample.count <= Self.maximumPicture else { throw .tooLarge }
        var configuration: FLVVideoTag?
        if isKeyframe || record.isEmpty {
            guard hasSets, let next = DecoderRecord.make(codec, sets.all) else { throw .noParameterSets }
            if next != record { configuration = .configuration(codec, next) }
            record = next
        }
        let picture = FLVVideoTag.picture(codec, isKeyframe: isKeyframe, offset: offset, sample: sample)
        return Output(configuration: configuration, picture: picture, isKeyframe: isKeyframe)
    }
}
