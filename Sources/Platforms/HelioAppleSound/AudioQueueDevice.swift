internal import AudioToolbox
internal import Foundation

/// Sets the device of an `AudioQueue`. Type-checked, not run.
enum AudioQueueDevice {
    /// Makes a queue play to or capture from a device. Called before the queue starts.
    static func set(_ uid: String, of queue: AudioQueueRef) -> OSStatus {
        let name = NSString(string: uid)
        return withExtendedLifetime(name) {
            var reference = UnsafeRawPointer(Unmanaged.passUnretained(name).toOpaque())
            let size = UInt32(MemoryLayout<UnsafeRawPointer>.size)
            return AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &reference, size)
        }
    }
}
