internal import HelioCore
internal import HelioSound

/// The viewers that this machine hears: their voices together are a microphone that its other programs can take.
///
/// `@unchecked Sendable`: the output is only asked to stop.
final class HeardViewers: @unchecked Sendable {
    /// The microphone's name, for people and programs.
    static let microphone = "Heliograph viewers"

    let voices: VoiceMixer
    private let output: any SoundPlaying

    /// Makes the microphone. Throws `unsupported` where there is no sound server.
    init(of platform: any SoundPlatform) throws(HelioError) {
        let voices = VoiceMixer(of: platform)
        self.voices = voices
        output = try platform.openVirtualMicrophone(name: Self.microphone) { samples, heard in
            voices.render(&samples, heard: heard)
        }
        voices.set(output.format)
    }

    /// Hears viewers with what a platform does for sound, where the options want it. Throws `unsupported` where it does
    /// nothing.
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

    /// Takes the microphone away.
    func stop() {
        voices.set(nil)
        output.stop()
    }
}
