internal import AudioToolbox
internal import Dispatch
internal import HelioAppleMedia
internal import HelioCore

/// Plays buffers by an `AudioQueue`. It is only type-checked; no test runs it.
///
/// `@unchecked Sendable`: all calls and callbacks are on the dispatch queue of the initialiser.
final class AudioQueueOutput: OutputQueue, @unchecked Sendable {
    private let queue: AudioQueueRef
    private var buffers: [AudioQueueBufferRef] = []

    /// - Parameter device: the device's UID; `nil` to follow the default device.
    init(
        _ plan: OutputPlan, to device: String?, on dispatch: DispatchQueue, consumed: @escaping @Sendable (Int) -> Void
    ) throws(HelioError) {
        var format = plan.device.description.coreAudio
        var made: AudioQueueRef?
        let indices = BufferIndices()
        let status = AudioQueueNewOutputWithDispatchQueue(&made, &format, 0, dispatch) { _, buffer in
            consumed(indices.of[buffer] ?? -1)
        }
        guard status == noErr, let made else { throw HelioError(.unsupported, "There is no output (\(status)).") }
        queue = made
        try use(device)
        for index in 0..<OutputPlan.buffers {
            var buffer: AudioQueueBufferRef?
            let status = AudioQueueAllocateBuffer(made, UInt32(plan.bytes), &buffer)
            guard status == noErr, let buffer else {
                _ = AudioQueueDispose(made, true)
                throw HelioError(.systemFailed, "There is no memory for sound (\(status)).")
            }
            buffers.append(buffer)
            indices.of[buffer] = index
        }
    }

    private func use(_ device: String?) throws(HelioError) {
        guard let device, AudioQueueDevice.set(device, of: queue) != noErr else { return }
        _ = AudioQueueDispose(queue, true)
        throw HelioError(.unsupported, "That output can't be used.")
    }

    func withBuffer(_ index: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
        let buffer = buffers[index].pointee
        body(UnsafeMutableRawBufferPointer(start: buffer.mAudioData, count: Int(buffer.mAudioDataBytesCapacity)))
    }

    func enqueue(_ index: Int, bytes: Int) throws(HelioError) {
        buffers[index].pointee.mAudioDataByteSize = UInt32(bytes)
        try check(AudioQueueEnqueueBuffer(queue, buffers[index], 0, nil))
    }

    func start() throws(HelioError) { try check(AudioQueueStart(queue, nil)) }

    /// Disposes of the queue, which frees its buffers.
    func dispose() { _ = AudioQueueDispose(queue, true) }

    private func check(_ status: OSStatus) throws(HelioError) {
        if status != noErr { throw HelioError(.systemFailed, "The system does not play sound (\(status)).") }
    }
}

/// The index of each buffer. `@unchecked Sendable`: it is filled before the queue starts, and only read afterwards.
private final class BufferIndices: @unchecked Sendable {
    var of: [AudioQueueBufferRef: Int] = [:]
}
