package import CoreVideo
import Foundation
package import HelioAppleMedia
package import HelioCore
import VideoToolbox

/// Makes VideoToolbox's sessions that scale and rotate, and Core Video's pixel buffer pools. It is only type-checked;
/// no test runs it.
package struct ApplePictureTransfers: PictureTransfers {
    package init() {}

    package func makeSession() -> Result<ApplePictureTransfer, SessionFailure> {
        var scaling: VTPixelTransferSession?
        let status = VTPixelTransferSessionCreate(
            allocator: kCFAllocatorDefault, pixelTransferSessionOut: &scaling)
        guard status == noErr, let scaling else { return .failure(SessionFailure(SessionStatus(status))) }
        var turning: VTPixelRotationSession?
        let other = VTPixelRotationSessionCreate(kCFAllocatorDefault, &turning)
        guard other == noErr, let turning else { return .failure(SessionFailure(SessionStatus(other))) }
        return .success(ApplePictureTransfer(scaling: scaling, turning: turning))
    }

    package func makePool(_ size: PixelSize, like picture: CVPixelBuffer, limit: Int) -> ApplePicturePool? {
        ApplePicturePool(size, format: CVPixelBufferGetPixelFormatType(picture), limit: limit)
    }

    package func size(of picture: CVPixelBuffer) -> PixelSize { PixelSize(picture) }

    package func copyColor(from picture: CVPixelBuffer, to result: CVPixelBuffer) {
        let keys = [
            kCVImageBufferColorPrimariesKey, kCVImageBufferTransferFunctionKey, kCVImageBufferYCbCrMatrixKey,
        ]
        for key in keys {
            guard let value = CVBufferCopyAttachment(picture, key, nil) else { continue }
            CVBufferSetAttachment(result, key, value, .shouldPropagate)
        }
    }
}
