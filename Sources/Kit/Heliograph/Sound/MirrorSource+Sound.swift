public import HelioCore
public import HelioSharing
private import HelioSound

extension MirrorSource {
    /// The kinds of sound that are shared; `nil` if an app supplies its own sound.
    public var sound: SoundSharing? { soundSupply?.sharing }

    /// Changes which sound is shared; viewers stay connected. The event `soundShared` lists what is captured.
    ///
    /// Throws `unsupported` if none of this machine's sound can be captured, or if the source was started without
    /// sound: its viewers were offered none.
    public func share(_ sound: SoundSharing) throws(HelioError) {
        guard let soundSupply, offersSound || sound == .off else {
            throw HelioError(.unsupported, "This source was started without this machine's sound: it can't be added.")
        }
        soundSupply.share(sound)
        if let trouble = soundSupply.lookForTrouble() { throw HelioError(.unsupported, trouble) }
    }

    /// True if viewers' voices are played now.
    public var isHearingViewers: Bool { serving.heard.map { !$0.voices.isMuted } ?? false }

    /// Plays or mutes the viewers' voices; the viewers are not notified.
    ///
    /// Throws `unsupported` if the source was started without `Options.hearsViewers`.
    public func hear(viewers isHearing: Bool) throws(HelioError) {
        guard let heard = serving.heard else {
            if isHearing { throw HelioError(.unsupported, "This source was started without hearing viewers.") }
            return
        }
        heard.voices.isMuted = !isHearing
    }

    /// Shares samples of the app's own sound. Call it on any thread, with one block at a time; it never blocks.
    ///
    /// - Parameters:
    ///   - samples: one block, which follows the previous one.
    ///   - input: the stream that the samples belong to.
    /// - Returns: true if somebody hears it.
    ///
    /// Throws `invalidArgument` for an unsupported format, or if the source was started without sound of the app's own.
    @discardableResult
    public func write(sound samples: SoundSamples, of input: SoundInput = .system) throws(HelioError) -> Bool {
        try ownSound.take(samples, of: input.origin)
    }

    /// Shares a packet of sound that the app has coded. Call it on any thread, with one packet at a time; it never
    /// blocks.
    ///
    /// - Parameters:
    ///   - packet: one packet in the format given at the start.
    ///   - input: the stream that the packet belongs to.
    /// - Returns: false if the packet was not used, because nobody hears it or nobody supports its codec.
    ///
    /// Throws `invalidArgument` for an invalid packet, one of another format than given at the start, or if the source
    /// was started without sound of the app's own.
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

    /// Lists the devices whose sound can be shared, one a line, or the reason why there are none.
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
