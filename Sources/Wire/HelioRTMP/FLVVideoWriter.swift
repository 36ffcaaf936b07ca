import HelioBitstream
package import HelioCore

/// Makes tags of access units: what parameter sets they come with goes ahead as a record, whenever that changes.
package struct FLVVideoWriter: Sendable {
    /// What an access unit became.
    package struct Output: Sendable {
        /// To be sent before the picture.
        package var configuration: FLVVideoTag?
        package var picture: FLVVideoTag
        package var isKeyframe: Bool
    }

    /// The most bytes of a picture; a message can have some more.
    package static let maximumPicture = 8 << 20

    private let codec: VideoCodec
    private var sets: NewestParameterSets
    private var record: [UInt8] = []

    package init(_ codec: VideoCodec) {
        self.codec = codec
        sets = NewestParameterSets(codec)
    }

    /// The size that the newest parameter sets tell.
    package var size: PixelSize? { sets.size }

    /// - Parameters:
    ///   - annexB: NAL units behind start codes.
    ///   - offset: milliseconds from when it is decoded to when it is shown.
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
            // Messages tell where access units begin.
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
