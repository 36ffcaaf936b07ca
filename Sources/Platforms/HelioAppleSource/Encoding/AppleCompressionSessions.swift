import CoreMedia
package import CoreVideo
import Foundation
package import HelioAppleMedia
package import HelioCore
import VideoToolbox

/// Makes compression sessions of VideoToolbox. It is only type-checked; no test runs it.
package struct AppleCompressionSessions: CompressionSessions {
    package init() {}

    package func makeSession(
        _ specification: CompressionSpecification
    ) -> Result<AppleCompressionSession, SessionFailure> {
        var session: VTCompressionSession?
        let status = VTCompressionSessionCreate(
            allocator: kCFAllocatorDefault, width: Int32(clamping: specification.size.width),
            height: Int32(clamping: specification.size.height), codecType: specification.codec.codecType,
            encoderSpecification: specification.dictionary, imageBufferAttributes: nil, compressedDataAllocator: nil,
            outputCallback: nil, refcon: nil, compressionSessionOut: &session)
        guard status == noErr, let session else { return .failure(SessionFailure(SessionStatus(status))) }
        return .success(AppleCompressionSession(session, codec: specification.codec))
    }

    package func size(of picture: CVPixelBuffer) -> PixelSize { PixelSize(picture) }
}
