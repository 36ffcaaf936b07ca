internal import HelioCore
internal import HelioSound

/// The voices of the viewers, mixed into a virtual microphone that other programs of this machine can record.
///
/// `@unchecked Sendable`: `output` is used only to stop it.
final class HeardViewers: @unchecked Sendable {
    /// The microphone's name, as other programs show it.
    static let microphone = "Heliograph viewers"

    let voices: VoiceMixer
    private let output: any SoundPlaying

    /// Makes the virtual microphone. Throws `unsupported` if there is no sound server.
    init(of platform: any SoundPlatform) throws(HelioError) {
        let voices = VoiceMixer(of: platform)
        self.voices = voices
        output = try platform.openVirtualMicrophone(name: Self.microphone) { samples, heard in
            voices.render(&samples, heard: heard)
        }
        voices.set(output.format)
    }

    /// Makes the virtual microphone if the options ask for it. Throws `unsupported` if the platform has none.
    static func make(
        _ options: MirrorSource.Options, of platform: (any SoundPlatform)?
    ) throws(HelioError) -> HeardViewers? {
        guard options.hearsViewers else { return nil }
        guard let platform else { throw HelioError(.unsupported, "Viewers can't be heard on this system.") }
        do {
            return try HeardViewers(of: platform)
        } catch {
            throw HelioError(error.code, "Viewers can't be heard: \(error.message)", remedy: error.remedy)
        }
    }

    deinit { stop() }

    /// Removes the virtual microphone.
    func stop() {
        voices.set(nil)
        output.stop()
    }
}
