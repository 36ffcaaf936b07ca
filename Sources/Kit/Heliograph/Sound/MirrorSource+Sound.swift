public import HelioCore
public import HelioSharing
private import HelioSound

extension MirrorSource {
    /// The kinds of sound that are shared; `nil` if this machine's sound can't be captured, or if an app encodes.
    public var sound: SoundSharing? { soundSupply?.sharing }

    /// Changes the kinds of sound that are shared; viewers stay connected. The event `soundShared` lists the captured
    /// devices.
    ///
    /// Throws `unsupported` if the sound can't be captured, or if the source was started without sound, so that its
    /// viewers were offered none.
    public func share(_ sound: SoundSharing) throws(HelioError) {
        guard let soundSupply, offersSound || sound == .off else {
            throw HelioError(.unsupported, "This source was started without this machine's sound: it can't be added.")
        }
        soundSupply.share(sound)
        if let trouble = soundSupply.lookForTrouble() { throw HelioError(.unsupported, trouble) }
    }

    /// True if viewers' voices are played now.
    public var isHearingViewers: Bool { serving.heard.map { !$0.voices.isMuted } ?? false }

    /// Plays or mutes the viewers' voices. The viewers are not notified.
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
    ///   - samples: one block, which follows the previous block without a gap in its presentation time.
    ///   - input: the origin that the samples count as: the system's sound or a microphone.
    /// - Returns: true if somebody listens.
    ///
    /// Throws `invalidArgument` if the format is not supported, or if the source was started without sound of the app's
    /// own.
    @discardableResult
    public func write(sound samples: SoundSamples, of input: SoundInput = .system) throws(HelioError) -> Bool {
        try ownSound.take(samples, of: input.origin)
    }

    /// Shares a packet of sound that the app has coded. Call it on any thread, with one packet at a time; it never
    /// blocks.
    ///
    /// - Parameters:
    ///   - packet: one packet in the format given at the start.
    ///   - input: the origin that the packet counts as: the system's sound or a microphone.
    /// - Returns: false if the packet was not used, because nobody listens or no listener supports its codec.
    ///
    /// Throws `invalidArgument` if the packet is invalid or has another format than given at the start, or if the
    /// source was started without sound of the app's own.
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

    /// Lists the devices whose sound can be shared, one line each, or the reason why there are none.
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
