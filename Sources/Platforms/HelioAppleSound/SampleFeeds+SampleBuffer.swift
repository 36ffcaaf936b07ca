internal import CoreAudio
internal import CoreAudioTypes
package import CoreMedia
package import HelioAppleMedia
package import HelioCore

extension SampleFeeds {
    /// Takes the sound of ScreenCaptureKit (`SCStreamOutputType.audio`, `.microphone`) or ReplayKit
    /// (`RPSampleBufferType.audioApp`, `.audioMic`), each origin separately (rows 154, 159).
    ///
    /// Type-checked, not run.
    package func take(_ buffer: CMSampleBuffer, of origin: SoundOrigin) {
        let format = CMSampleBufferGetFormatDescription(buffer)?.audioStreamBasicDescription
            .flatMap { DeviceSampleFormat(StreamDescription($0)) }
        let captured = HostClock.instant(seconds: CMSampleBufferGetPresentationTimeStamp(buffer).seconds)
        // A buffer whose samples can't be read counts as malformed.
        let isRead: Void? = try? buffer.withAudioBufferList { list, _ in
            let planes = list.map { UnsafeRawBufferPointer(start: $0.mData, count: Int($0.mDataByteSize)) }
            take(planes, format, of: origin, captured: captured)
        }
        if isRead == nil { take([], format, of: origin, captured: captured) }
    }
}
