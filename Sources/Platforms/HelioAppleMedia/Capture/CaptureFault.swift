/// Decides how to react when ScreenCaptureKit refuses to start a stream or to change its settings.
package enum CaptureFault: Sendable, Hashable {
    /// The picture is fine, and only the sound can't be captured: the stream goes on without sound.
    case withoutSound
    /// The stream is ended, so that it does not go on beside the next one, and the stop is reported.
    case stop(StreamStop)

    /// - Parameters:
    ///   - code: an error code of `SCStreamErrorDomain` (ScreenCaptureKit's SCError.h). -3818 is
    ///     `failedToStartAudioCapture`, -3819 `failedToStopAudioCapture`.
    ///   - hears: true if the refused settings include the capture of sound.
    package init(code: Int, hears: Bool) {
        self = [-3818, -3819].contains(code) && hears ? .withoutSound : .stop(StreamStop(screenCaptureKit: code))
    }
}
