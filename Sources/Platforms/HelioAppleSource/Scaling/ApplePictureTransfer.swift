package import CoreVideo
package import HelioAppleMedia
import VideoToolbox

/// A pixel transfer session and a pixel rotation session of VideoToolbox, reused for all pictures (requirement rows 93
/// and 94). It is only type-checked; no test runs it.
package final class ApplePictureTransfer: PictureTransfer {
    package typealias Picture = CVPixelBuffer

    private let scaling: VTPixelTransferSession
    private let turning: VTPixelRotationSession

    init(scaling: VTPixelTransferSession, turning: VTPixelRotationSession) {
        self.scaling = scaling
        self.turning = turning
    }

    package func scale(_ picture: CVPixelBuffer, into result: CVPixelBuffer) -> SessionStatus {
        SessionStatus(VTPixelTransferSessionTransferImage(scaling, from: picture, to: result))
    }

    package func turn(
        _ picture: CVPixelBuffer, by rotation: PictureRotation, into result: CVPixelBuffer
    ) -> SessionStatus {
        let status = VTSessionSetProperty(turning, key: kVTPixelRotationPropertyKey_Rotation, value: rotation.name)
        guard status == noErr else { return SessionStatus(status) }
        return SessionStatus(VTPixelRotationSessionRotateImage(turning, picture, result))
    }

    package func invalidate() {
        VTPixelTransferSessionInvalidate(scaling)
        VTPixelRotationSessionInvalidate(turning)
    }
}
