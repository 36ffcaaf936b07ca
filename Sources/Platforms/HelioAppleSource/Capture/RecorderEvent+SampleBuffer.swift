import CoreMedia
import Foundation
import HelioAppleMedia
import ReplayKit

extension RecorderEvent<PixelBuffer> {
    /// Makes the event of a ReplayKit sample's picture, with the turn in its attachment; `nil` for a sample without a
    /// picture. Type-checked, not run.
    init?(_ sample: CMSampleBuffer) {
        guard let pixels = CMSampleBufferGetImageBuffer(sample) else { return nil }
        self = .picture(PixelBuffer(pixels), PictureTurn(orientation: sample.orientation))
    }
}

extension CMSampleBuffer {
    /// The orientation of ReplayKit's pictures, as EXIF counts; `nil` if there is none.
    var orientation: Int? {
        let key = NSString(string: RPVideoSampleOrientationKey).bridged
        return (CMGetAttachment(self, key: key, attachmentModeOut: nil) as? NSNumber)?.intValue
    }
}
