internal import CoreMedia
internal import CoreVideo
package import HelioAppleMedia
internal import VideoToolbox

/// A `VTDecompressionSession` (requirement row 41). It is only type-checked; no test runs it.
package final class AppleSession: DecompressionSession {
    package typealias Done = @Sendable (DecompressionResult<AppleBuffer>) -> Void

    package let isHardware: Bool
    private let session: VTDecompressionSession
    /// The format from which `description` was made.
    private var format: DecompressionFormat
    private var description: CMVideoFormatDescription

    init(_ session: VTDecompressionSession, _ format: DecompressionFormat, _ description: CMVideoFormatDescription) {
        self.session = session
        self.format = format
        self.description = description
        let key = kVTDecompressionPropertyKey_UsingHardwareAcceleratedVideoDecoder
        var value: CFBoolean?
        let status = withUnsafeMutablePointer(to: &value) {
            VTSessionCopyProperty(session, key: key, allocator: kCFAllocatorDefault, valueOut: $0)
        }
        isHardware = status == noErr && value == kCFBooleanTrue
        _ = VTSessionSetProperty(session, key: kVTDecompressionPropertyKey_RealTime, value: kCFBooleanTrue)
    }

    package func accepts(_ format: DecompressionFormat) -> Bool {
        guard let other = format.makeDescription() else { return false }
        return VTDecompressionSessionCanAcceptFormatDescription(session, formatDescription: other)
    }

    package func decode(_ sample: [UInt8], format: DecompressionFormat, done: @escaping Done) -> SessionStatus {
        if format != self.format, let description = format.makeDescription() {
            (self.format, self.description) = (format, description)
        }
        guard let sample = AppleSample.make(sample, description) else { return .badData }
        // Without `_1xRealTimePlayback`, by which a decoder may save power and take as long as the next picture.
        let flags: VTDecodeFrameFlags = [._EnableAsynchronousDecompression]
        return SessionStatus(
            VTDecompressionSessionDecodeFrame(session, sampleBuffer: sample, flags: flags, infoFlagsOut: nil) {
                status, _, image, _, _ in
                done(DecompressionResult(status: SessionStatus(status), buffer: image.map { AppleBuffer($0) }))
            })
    }

    package func invalidate() { VTDecompressionSessionInvalidate(session) }
}
