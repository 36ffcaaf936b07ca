internal import AudioToolbox
internal import Foundation

/// Sets the device of an `AudioQueue`. It is only type-checked; no test runs it.
enum AudioQueueDevice {
    /// Sets a queue's output or input device. Must be called before the queue starts.
    ///
    /// - Parameter uid: the device's UID in Core Audio.
    static func set(_ uid: String, of queue: AudioQueueRef) -> OSStatus {
        let name = NSString(string: uid)
        return withExtendedLifetime(name) {
            var reference = UnsafeRawPointer(Unmanaged.passUnretained(name).toOpaque())
            let size = UInt32(MemoryLayout<UnsafeRawPointer>.size)
            return AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &reference, size)
        }
    }
}
