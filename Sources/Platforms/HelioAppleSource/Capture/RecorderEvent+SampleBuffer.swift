import CoreMedia
import Foundation
import HelioAppleMedia
import ReplayKit

extension RecorderEvent<PixelBuffer> {
    /// The picture of a sample of ReplayKit, with the turn that its attachment tells; `nil` for one without. Type-checked,
    /// not run.
    init?(_ sample: CMSampleBuffer) {
        guard let pixels = CMSampleBufferGetImageBuffer(sample) else { return nil }
        self = .picture(PixelBuffer(pixels), PictureTurn(orientation: sample.orientation))
    }
}

extension CMSampleBuffer {
    /// The orientation of ReplayKit's pictures, as EXIF counts; `nil`: none is told.
    var orientation: Int? {
        let key = NSString(string: RPVideoSampleOrientationKey).bridged
        return (CMGetAttachment(self, key: key, attachmentModeOut: nil) as? NSNumber)?.intValue
    }
}
