internal import CoreAudio
internal import CoreAudioTypes
package import CoreMedia
package import HelioAppleMedia
package import HelioCore

extension SampleFeeds {
    /// Routes the sound in a sample buffer of ScreenCaptureKit (`SCStreamOutputType.audio`, `.microphone`) or ReplayKit
    /// (`RPSampleBufferType.audioApp`, `.audioMic`), separately for each origin (requirement rows 154, 159).
    ///
    /// This method is only type-checked; no test runs it.
    package func take(_ buffer: CMSampleBuffer, of origin: SoundOrigin) {
        let format = CMSampleBufferGetFormatDescription(buffer)?.audioStreamBasicDescription
            .flatMap { DeviceSampleFormat(StreamDescription($0)) }
        let captured = HostClock.instant(seconds: CMSampleBufferGetPresentationTimeStamp(buffer).seconds)
        // Pass no samples if they can't be read, so that the buffer counts as malformed.
        let isRead: Void? = try? buffer.withAudioBufferList { list, _ in
            let planes = list.map { UnsafeRawBufferPointer(start: $0.mData, count: Int($0.mDataByteSize)) }
            take(planes, format, of: origin, captured: captured)
        }
        if isRead == nil { take([], format, of: origin, captured: captured) }
    }
}
