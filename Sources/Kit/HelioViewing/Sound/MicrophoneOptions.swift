internal import HelioCore
private import HelioSound

/// The options of a viewer's microphone, for a host that plays viewers' voices.
public struct MicrophoneOptions: Sendable, Hashable {
    /// The name of the device; `nil` follows the default device.
    public var device: String?
    /// True if played sound can't reach the microphone. Otherwise the microphone is muted while this machine plays
    /// sound, so that the host does not hear itself.
    public var isHeadset = false

    /// Makes options for the default microphone, which is not a headset's.
    public init() {}

    /// Returns the ID of the named device; `nil` for the default device. Throws `invalidArgument`, naming the choices,
    /// if there is no such device.
    func deviceID(of platform: any SoundPlatform) throws(HelioError) -> String? {
        guard let device else { return nil }
        let known = try platform.captureDevices(of: .microphone)
        guard let found = known.named(device) else {
            throw .missing("microphone", device, choices: known.map(\.name))
        }
        return found.id
    }
}
