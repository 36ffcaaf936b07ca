import CoreMedia
import HelioAppleMedia
import HelioCore
import VideoToolbox

extension CompressionResult {
    /// Makes the result from the arguments of VideoToolbox's output callback.
    init(_ status: OSStatus, _ flags: VTEncodeInfoFlags, _ sample: CMSampleBuffer?, codec: VideoCodec) {
        guard status == noErr else {
            self = .failed(SessionStatus(status))
            return
        }
        guard let sample, !flags.contains(.frameDropped) else {
            self = .dropped
            return
        }
        self = .coded(CodedSample(sample, codec: codec))
    }
}
