#if os(macOS) || CHECKED_AS_MACOS
internal import CoreAudio
internal import Dispatch
internal import HelioAppleMedia

/// Reports changes of a Mac's sound devices: another default device, or a device more or less. It is only type-checked;
/// no test runs it.
///
/// `@unchecked Sendable`: the block is called by Core Audio, and otherwise only kept, to be removed.
final class DeviceListener: @unchecked Sendable {
    private static let watched: [(AudioObjectPropertySelector, SoundSessionEvent)] = [
        (kAudioHardwarePropertyDefaultOutputDevice, .routeChanged(.deviceGone, wasPrivate: false)),
        (kAudioHardwarePropertyDefaultInputDevice, .routeChanged(.deviceGone, wasPrivate: false)),
        (kAudioHardwarePropertyDevices, .routeChanged(.other, wasPrivate: false)),
    ]

    private let queue = DispatchQueue(label: "heliograph.sound-devices")
    private let blocks: [AudioObjectPropertyListenerBlock]

    init(_ handler: @escaping @Sendable (SoundSessionEvent) -> Void) {
        blocks = Self.watched.map { _, event in { _, _ in handler(event) } }
        each { AudioObjectAddPropertyListenerBlock(AudioObjectID(kAudioObjectSystemObject), $0, queue, $1) }
    }

    func end() {
        each { AudioObjectRemovePropertyListenerBlock(AudioObjectID(kAudioObjectSystemObject), $0, queue, $1) }
    }

    private func each(
        _ body: (UnsafePointer<AudioObjectPropertyAddress>, @escaping AudioObjectPropertyListenerBlock) -> OSStatus
    ) {
        for ((selector, _), block) in zip(Self.watched, blocks) {
            var address = AudioObjectPropertyAddress(
                mSelector: selector, mScope: kAudioObjectPropertyScopeGlobal, mElement: kAudioObjectPropertyElementMain)
            _ = body(&address, block)
        }
    }
}
#endif
