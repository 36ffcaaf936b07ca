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
    /// The most bytes of parameter sets that are kept.
    private static let maximumSets = 64 << 10

    private let codec: VideoCodec
    /// The newest of each type: of an access unit that has some, all of that type.
    private var sets: [UInt8: [[UInt8]]] = [:]
    private var record: [UInt8] = []

    package init(_ codec: VideoCodec) { self.codec = codec }

    /// The size that the newest parameter sets tell.
    package var size: PixelSize? {
        for set in sets.values.joined() {
            switch codec {
            case .h264:
                if let parameters = H264SequenceParameters.parse(nal: set.span.bytes) { return parameters.size }
            case .h265:
                if let parameters = H265SequenceParameters.parse(nal: set.span.bytes) { return parameters.size }
            }
        }
        return nil
    }

    /// Whoever reads next has heard of nothing: the record is due again.
    package mutating func restart() { record = [] }

    /// - Parameters:
    ///   - annexB: NAL units behind start codes.
    ///   - offset: milliseconds from when it is decoded to when it is shown.
    package mutating func write(annexB: [UInt8], offset: Int32 = 0) throws(FLVVideoFault) -> Output {
        guard annexB.count <= Self.maximumPicture else { throw .tooLarge }
        let bytes = annexB.span.bytes
        var sample: [UInt8] = []
        sample.reserveCapacity(annexB.count + 16)
        var found: [UInt8: [[UInt8]]] = [:]
        var (isKeyframe, hasPicture) = (false, false)
        AnnexB.forEachNALUnit(in: bytes) { range in
            guard let header = bytes.uint8(at: range.lowerBound), range.count >= NALHeader.size(codec),
                NALHeader.isNALUnit(header, codec: codec)
            else { return }
            let type = codec == .h264 ? H264NALType(header: header).rawValue : H265NALType(header: header).rawValue
            if NALHeader.isParameterSet(header, codec: codec) {
                found[type, default: []].append(bytes.bytes(at: range.lowerBound, count: range.count) ?? [])
                return
            }
            // Messages tell where access units begin.
            if type == Self.delimiter(codec) { return }
            isKeyframe = isKeyframe || NALHeader.isKeyframe(header, codec: codec)
            hasPicture = hasPicture || NALHeader.isVCL(header, codec: codec)
            sample.append(bigEndian: UInt32(range.count))
            sample.append(bytes, range)
        }
        for (type, new) in found { sets[type] = new }
        if sets.values.joined().reduce(0, { $0 + $1.count }) > Self.maximumSets { sets = [:] }
        guard hasPicture else { throw .noPicture }
        guard sample.count <= Self.maximumPicture else { throw .tooLarge }
        var configuration: FLVVideoTag?
        if isKeyframe || record.isEmpty {
            guard let next = DecoderRecord.make(codec, sets.sorted { $0.key < $1.key }.flatMap(\.value)) else {
                throw .noParameterSets
            }
            if next != record { configuration = .configuration(codec, next) }
            record = next
        }
        let picture = FLVVideoTag.picture(codec, isKeyframe: isKeyframe, offset: offset, sample: sample)
        return Output(configuration: configuration, picture: picture, isKeyframe: isKeyframe)
    }

    private static func delimiter(_ codec: VideoCodec) -> UInt8 {
        codec == .h264 ? H264NALType.accessUnitDelimiter.rawValue : H265NALType.accessUnitDelimiter.rawValue
    }
}
