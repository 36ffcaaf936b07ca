internal import AudioToolbox
internal import Dispatch
internal import HelioAppleMedia
internal import HelioCore

/// Captures a microphone by `AudioQueue`, in buffers of 10 ms; the system converts to 48 kHz. It is only type-checked;
/// no test runs it.
///
/// `@unchecked Sendable`: all calls and callbacks are on the dispatch queue of the initialiser.
final class AudioQueueMicrophone: SampleSource, @unchecked Sendable {
    let deviceName: String
    private let queue: AudioQueueRef

    private static let buffers = 5
    private static let format = DeviceSampleFormat(sampleRate: 48000, channels: 1)

    /// - Parameter device: the device's UID; `nil` to follow the default device.
    init(
        _ name: String, of device: String?, on dispatch: DispatchQueue, into intake: SampleIntake
    ) throws(HelioError) {
        deviceName = name
        var format = Self.format.description.coreAudio
        var made: AudioQueueRef?
        let status = AudioQueueNewInputWithDispatchQueue(&made, &format, 0, dispatch) { queue, buffer, time, _, _ in
            let bytes = UnsafeRawBufferPointer(
                start: buffer.pointee.mAudioData, count: Int(buffer.pointee.mAudioDataByteSize))
            intake.take([bytes], Self.format, captured: HostClock.instant(time.pointee.mHostTime))
            // The call fails while the queue is being stopped, which is harmless.
            _ = AudioQueueEnqueueBuffer(queue, buffer, 0, nil)
        }
        guard status == noErr, let made else {
            throw HelioError(.captureFailed, "The microphone can't be used (\(status)).")
        }
        queue = made
        if let device { try check(AudioQueueDevice.set(device, of: made)) }
    }

    func start() throws(HelioError) {
        for _ in 0..<Self.buffers {
            var buffer: AudioQueueBufferRef?
            try check(AudioQueueAllocateBuffer(queue, UInt32(480 * Self.format.bytesPerFrame), &buffer))
            if let buffer { try check(AudioQueueEnqueueBuffer(queue, buffer, 0, nil)) }
        }
        try check(AudioQueueStart(queue, nil))
    }

    func stop() { _ = AudioQueueStop(queue, true) }

    /// Disposes of the queue, which frees its buffers.
    deinit { _ = AudioQueueDispose(queue, true) }

    private func check(_ status: OSStatus) throws(HelioError) {
        if status != noErr { throw HelioError(.captureFailed, "The microphone does not start (\(status)).") }
    }
}
