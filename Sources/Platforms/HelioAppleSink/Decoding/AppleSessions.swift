internal import CoreMedia
internal import CoreVideo
package import HelioAppleMedia
internal import HelioCore
internal import VideoToolbox

/// Makes `VTDecompressionSession`s whose pictures Metal can read without a copy. It is only type-checked; no test runs
/// it.
package struct AppleSessions: DecompressionSessionMaking {
    /// False to allow only software decoders.
    let allowsHardware: Bool

    package init(allowsHardware: Bool) { self.allowsHardware = allowsHardware }

    package var name: String { "VideoToolbox" }

    package func make(_ format: DecompressionFormat) -> (session: AppleSession?, status: SessionStatus) {
        guard let description = format.makeDescription() else { return (nil, .badData) }
        var session: VTDecompressionSession?
        let status = VTDecompressionSessionCreate(
            allocator: kCFAllocatorDefault, formatDescription: description, decoderSpecification: specification,
            imageBufferAttributes: attributes(of: format), outputCallback: nil, decompressionSessionOut: &session)
        return (session.map { AppleSession($0, format, description) }, SessionStatus(status))
    }

    private var specification: CFDictionary {
        [kVTVideoDecoderSpecification_EnableHardwareAcceleratedVideoDecoder: allowsHardware] as CFDictionary
    }

    /// Returns the attributes of the output buffers: samples in the stream's own range (requirements, defect 5, row
    /// 146), in memory that Metal can use (requirement row 54).
    private func attributes(of format: DecompressionFormat) -> CFDictionary {
        [
            kCVPixelBufferPixelFormatTypeKey: format.samples.code, kCVPixelBufferMetalCompatibilityKey: true,
            kCVPixelBufferIOSurfacePropertiesKey: NSDictionary(),
        ] as CFDictionary
    }
}

extension AppleSessions {
    /// The codecs that hardware decodes on this machine.
    static var hardwareCodecs: Set<VideoCodec> {
        let types: [(VideoCodec, CMVideoCodecType)] = [
            (.h264, kCMVideoCodecType_H264), (.h265, kCMVideoCodecType_HEVC),
        ]
        return Set(types.filter { VTIsHardwareDecodeSupported($0.1) }.map(\.0))
    }
}
