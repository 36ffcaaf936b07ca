internal import AudioToolbox
internal import Foundation

/// The device of a queue of `AudioQueue`. Type-checked, not run.
enum AudioQueueDevice {
    /// Has a queue play to or capture from a device, before it starts.
    static func set(_ uid: String, of queue: AudioQueueRef) -> OSStatus {
        let name = NSString(string: uid)
        return withExtendedLifetime(name) {
            var reference = UnsafeRawPointer(Unmanaged.passUnretained(name).toOpaque())
            let size = UInt32(MemoryLayout<UnsafeRawPointer>.size)
            return AudioQueueSetProperty(queue, kAudioQueueProperty_CurrentDevice, &reference, size)
        }
    }
}
