public import HelioCore
private import HelioSound
public import HelioViewing

extension MirrorSource {
    /// The sound that is shared; `nil` where an app gives its own.
    public var sound: SoundSharing? { soundSupply?.sharing }

    /// Shares this sound from now on; viewers stay. `Event.soundShared` tells what is captured.
    ///
    /// Throws `unsupported` where none of this machine's sound can be captured, or the source was started without any:
    /// its viewers were offered none.
    public func share(_ sound: SoundSharing) throws(HelioError) {
        guard let soundSupply, offersSound || sound == .off else {
            throw HelioError(.unsupported, "This source was started without this machine's sound: it can't be added.")
        }
        soundSupply.share(sound)
        if let trouble = soundSupply.lookForTrouble() { throw HelioError(.unsupported, trouble) }
    }

    /// True where viewers that want it are heard now.
    public var isHearingViewers: Bool { serving.heard.map { !$0.voices.isMuted } ?? false }

    /// Hears viewers from now on, or lets nothing of them be heard; they are not told.
    ///
    /// Throws `unsupported` where the source was started without `Options.hearsViewers`.
    public func hear(viewers isHearing: Bool) throws(HelioError) {
        guard let heard = serving.heard else {
            if isHearing { throw HelioError(.unsupported, "This source was started without hearing viewers.") }
            return
        }
        heard.voices.isMuted = !isHearing
    }

    /// Hands over samples of the app's own sound. Call it on any thread, but with one stretch at a time; it never blocks.
    ///
    /// - Parameters:
    ///   - samples: one stretch, which follows the one before.
    ///   - input: which of the two streams it is of.
    /// - Returns: whether somebody hears it.
    ///
    /// Throws `invalidArgument` for a format that no sound has, and where the source gives none of its own.
    @discardableResult
    public func write(sound samples: SoundSamples, of input: SoundInput = .system) throws(HelioError) -> Bool {
        try ownSound.take(samples, of: input.origin)
    }

    /// Hands over a packet that the app has coded. Call it on any thread, but with one packet at a time; it never blocks.
    ///
    /// - Parameters:
    ///   - packet: one packet of the format given on start.
    ///   - input: which of the two streams it is of.
    /// - Returns: whether it was taken: not where nobody hears it, or nobody has its codec.
    ///
    /// Throws `invalidArgument` for what is no packet of the format given on start, and where the source gives no sound of
    /// its own.
    @discardableResult
    public func write(_ packet: EncodedSoundPacket, of input: SoundInput = .system) throws(HelioError) -> Bool {
        try ownSound.take(packet, of: input.origin)
    }

    private var ownSound: AppSound {
        get throws(HelioError) {
            guard let appSound else {
                throw HelioError(.invalidArgument, "This source was started without sound of the app's own.")
            }
            return appSound
        }
    }

    /// Lists the devices whose sound can be shared, a line each; or why none can.
    public static func soundDevices() -> [String] {
        guard let platform = systemSource.sound else { return ["no sound: it can't be captured on this system"] }
        var lines: [String] = []
        for (origin, title) in [(SoundOrigin.system, "sound"), (.microphone, "microphone")] {
            do {
                let devices = try platform.captureDevices(of: origin)
                if devices.isEmpty { lines.append("no \(title): there is no device") }
                for device in devices {
                    lines.append("\(title): \(device.name) (\(device.id))\(device.isDefault ? ", default" : "")")
                }
            } catch {
                return [error.message]
            }
        }
        return lines
    }
}
