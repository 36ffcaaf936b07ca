import CoreMedia
package import CoreVideo
import Foundation
package import HelioAppleMedia
package import HelioCore
import VideoToolbox

/// A thin wrapper of VideoToolbox's compression session, without logic of its own. It is only type-checked; no test
/// runs it.
package final class AppleCompressionSession: CompressionSession {
    package typealias Picture = CVPixelBuffer

    private let session: VTCompressionSession
    private let codec: VideoCodec

    init(_ session: VTCompressionSession, codec: VideoCodec) {
        self.session = session
        self.codec = codec
    }

    package var isHardware: Bool {
        var value: CFTypeRef?
        _ = withUnsafeMutablePointer(to: &value) {
            VTSessionCopyProperty(
                session, key: kVTCompressionPropertyKey_UsingHardwareAcceleratedVideoEncoder,
                allocator: kCFAllocatorDefault, valueOut: $0)
        }
        return (value as? NSNumber)?.boolValue ?? false
    }

    package func set(_ property: CompressionProperty) -> SessionStatus {
        SessionStatus(VTSessionSetProperty(session, key: property.key, value: property.value))
    }

    package func encode(
        _ picture: CVPixelBuffer, at time: Instant, isKeyframe: Bool, reply: SessionReply<CompressionResult>
    ) -> SessionStatus {
        let codec = codec
        let options = [kVTEncodeFrameOptionKey_ForceKeyFrame: isKeyframe] as CFDictionary
        let status = VTCompressionSessionEncodeFrame(
            session, imageBuffer: picture, presentationTimeStamp: CMTime(time), duration: .invalid,
            frameProperties: options, infoFlagsOut: nil
        ) { status, flags, sample in
            reply.give(CompressionResult(status, flags, sample, codec: codec))
        }
        return SessionStatus(status)
    }

    package func complete(until time: Instant) -> SessionStatus {
        SessionStatus(VTCompressionSessionCompleteFrames(session, untilPresentationTimeStamp: CMTime(time)))
    }

    package func invalidate() { VTCompressionSessionInvalidate(session) }
}
