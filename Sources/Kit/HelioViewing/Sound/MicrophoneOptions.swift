internal import HelioCore
private import HelioSound

/// The options of a viewer's microphone, for a host that plays viewers' voices.
public struct MicrophoneOptions: Sendable, Hashable {
    /// The device, by its name; `nil` follows the default one.
    public var device: String?
    /// True if played sound can't reach the microphone. Otherwise the microphone is muted while this machine plays
    /// sound, so that the host does not hear itself.
    public var isHeadset = false

    /// Makes options for the default microphone, in a room with loudspeakers.
    public init() {}

    /// The device's ID; `nil` for the default one. Throws `invalidArgument`, naming the choices, if there is no such
    /// device.
    func deviceID(of platform: any SoundPlatform) throws(HelioError) -> String? {
        guard let device else { return nil }
        let known = try platform.captureDevices(of: .microphone)
        guard let found = known.named(device) else {
            throw .missing("microphone", device, choices: known.map(\.name))
        }
        return found.id
    }
}
