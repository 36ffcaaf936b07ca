internal import HelioCore
private import HelioSound

/// The options of a viewer's microphone, which a host hears that has agreed to hear viewers.
public struct MicrophoneOptions: Sendable, Hashable {
    /// The device, by its name; `nil` follows the default one.
    public var device: String?
    /// True where what is played can't reach the microphone. Otherwise it is left out while something plays, so that the
    /// host does not hear itself.
    public var isHeadset = false

    /// Makes options for the default microphone, in a room with loudspeakers.
    public init() {}

    /// The device's ID; `nil` is the default one. Throws `invalidArgument`, naming the choices, for one that is not there.
    func deviceID(of platform: any SoundPlatform) throws(HelioError) -> String? {
        guard let device else { return nil }
        let known = try platform.captureDevices(of: .microphone)
        guard let found = known.named(device) else {
            throw .missing("microphone", device, choices: known.map(\.name))
        }
        return found.id
    }
}
