import CoreMedia
import ReplayKit

/// The place where pictures and sound are coded and handed on: HelioAppleSource's encoder and HelioExtension's
/// `BroadcastRelay` go here. Not filled yet: samples are let go.
enum SamplePlace {
    static func take(_ sample: CMSampleBuffer, _ kind: RPSampleBufferType) {}
}
