import CoreMedia
import Foundation
import HelioAppleMedia
import ReplayKit

extension RecorderEvent<PixelBuffer> {
    /// Makes the event for a ReplayKit video sample, with the rotation from its attachment; `nil` if the sample has no
    /// picture. This is only type-checked; no test runs it.
    init?(_ sample: CMSampleBuffer) {
        guard let pixels = CMSampleBufferGetImageBuffer(sample) else { return nil }
        self = .picture(PixelBuffer(pixels), PictureTurn(orientation: sample.orientation))
    }
}

extension CMSampleBuffer {
    /// The orientation in ReplayKit's attachment, with EXIF's values; `nil` if there is none.
    var orientation: Int? {
        let key = NSString(string: RPVideoSampleOrientationKey).bridged
        return (CMGetAttachment(self, key: key, attachmentModeOut: nil) as? NSNumber)?.intValue
    }
}
