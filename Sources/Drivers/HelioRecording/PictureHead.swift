internal import HelioBitstream
internal import HelioCore

/// A keyframe's parameter sets, with the size and color description in them.
struct PictureHead: Equatable {
    /// The parameter sets, each after a start code.
    var parameterSets: [UInt8]
    var size: PixelSize
    var color: ColorDescription

    /// Reads the parameter sets before the first slice; `nil` if one is missing or malformed.
    init?(of annexB: [UInt8], codec: VideoCodec) {
        parameterSets = []
        var (size, color): (PixelSize?, ColorDescription?)
        var kinds: Set<UInt8> = []
        let bytes = annexB.span.bytes
        var cursor = AnnexB.Cursor()
        while let range = cursor.next(in: bytes), let header = bytes.uint8(at: range.lowerBound) {
            if NALHeader.isVCL(header, codec: codec) { break }
            guard NALHeader.isParameterSet(header, codec: codec) else { continue }
            parameterSets += AnnexB.startCode
            parameterSets += annexB[range]
            let nal = bytes.extracting(range)
            switch codec {
            case .h264:
                kinds.insert(H264NALType(header: header).rawValue)
                if let sps = H264SequenceParameters.parse(nal: nal) { (size, color) = (sps.size, sps.color) }
            case .h265:
                kinds.insert(H265NALType(header: header).rawValue)
                if let sps = H265SequenceParameters.parse(nal: nal) { (size, color) = (sps.size, sps.color) }
            }
        }
        guard let size, let color, kinds.count >= (codec == .h264 ? 2 : 3) else { return nil }
        self.size = size
        self.color = color
    }
}
