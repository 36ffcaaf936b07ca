#if os(macOS) || CHECKED_AS_MACOS
internal import CoreAudio
internal import Foundation
internal import HelioAppleMedia

/// Reads the sound devices of this Mac from Core Audio. It is only type-checked; no test runs it.
extension CoreDevices {
    static func read() -> CoreDevices {
        let system = AudioObjectID(kAudioObjectSystemObject)
        let output: AudioObjectID? = number(system, kAudioHardwarePropertyDefaultOutputDevice)
        let input: AudioObjectID? = number(system, kAudioHardwarePropertyDefaultInputDevice)
        return CoreDevices(
            objects(system, kAudioHardwarePropertyDevices).compactMap { device in
                guard let uid = text(device, kAudioDevicePropertyDeviceUID) else { return nil }
                let rate: Double? = number(device, kAudioDevicePropertyNominalSampleRate)
                return CoreDevice(
                    uid: uid, name: text(device, kAudioObjectPropertyName) ?? uid, rate: rate ?? 0,
                    output: side(device, kAudioObjectPropertyScopeOutput, isDefault: device == output),
                    input: side(device, kAudioObjectPropertyScopeInput, isDefault: device == input))
            })
    }

    private static func side(
        _ device: AudioObjectID, _ scope: AudioObjectPropertyScope, isDefault: Bool
    ) -> CoreDevice.Side {
        let streams = objects(device, kAudioDevicePropertyStreams, scope)
        return CoreDevice.Side(
            isDefault: isDefault, streams: streams.count,
            latency: number(device, kAudioDevicePropertyLatency, scope) ?? 0,
            safetyOffset: number(device, kAudioDevicePropertySafetyOffset, scope) ?? 0,
            streamLatency: streams.first.flatMap { number($0, kAudioStreamPropertyLatency) } ?? 0,
            bufferFrames: number(device, kAudioDevicePropertyBufferFrameSize, scope) ?? 0)
    }

    private static func address(
        _ property: AudioObjectPropertySelector, _ scope: AudioObjectPropertyScope
    ) -> AudioObjectPropertyAddress {
        AudioObjectPropertyAddress(mSelector: property, mScope: scope, mElement: kAudioObjectPropertyElementMain)
    }

    private static func number<Number: Numeric & BitwiseCopyable>(
        _ object: AudioObjectID, _ property: AudioObjectPropertySelector,
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) -> Number? {
        var (address, value, size) = (address(property, scope), Number.zero, UInt32(MemoryLayout<Number>.size))
        let status = AudioObjectGetPropertyData(object, &address, 0, nil, &size, &value)
        return status == noErr && size == MemoryLayout<Number>.size ? value : nil
    }

    private static func objects(
        _ object: AudioObjectID, _ property: AudioObjectPropertySelector,
        _ scope: AudioObjectPropertyScope = kAudioObjectPropertyScopeGlobal
    ) -> [AudioObjectID] {
        var (address, size) = (address(property, scope), UInt32(0))
        guard AudioObjectGetPropertyDataSize(object, &address, 0, nil, &size) == noErr else { return [] }
        var objects = [AudioObjectID](repeating: 0, count: Int(size) / MemoryLayout<AudioObjectID>.size)
        guard AudioObjectGetPropertyData(object, &address, 0, nil, &size, &objects) == noErr else { return [] }
        // The list may have become shorter since its size was read.
        return Array(objects.prefix(Int(size) / MemoryLayout<AudioObjectID>.size))
    }

    private static func text(_ object: AudioObjectID, _ property: AudioObjectPropertySelector) -> String? {
        var (address, size) = (
            address(property, kAudioObjectPropertyScopeGlobal), UInt32(MemoryLayout<UnsafeRawPointer?>.size)
        )
        var value: UnsafeRawPointer?
        guard AudioObjectGetPropertyData(object, &address, 0, nil, &size, &value) == noErr, let value else {
            return nil
        }
        return "\(Unmanaged<NSString>.fromOpaque(value).takeRetainedValue())"
    }
}
#endif
