private import Foundation
internal import HelioCore
internal import HelioGround
internal import HelioSharing
internal import HelioSound

/// The sound that an app supplies: encodes the app's samples, or forwards its coded packets.
///
/// `@unchecked Sendable`: all state is accessed with the lock held.
final class AppSound: SoundFeed, @unchecked Sendable {
    private let attributes: SoundAttributes
    private let platform: (any SoundPlatform)?
    private let plugin: (any AudioSourcePlugin)?
    private let lock = NSLock()
    private var wanted: [SoundOrigin: SoundDemand] = [:]
    private var coders: [SoundOrigin: SoundCoder] = [:]
    /// Set from `begin` to `stop` only, because the outlet keeps a reference to this object.
    private var outlet: (any SoundOutlet)?
    /// The presentation time of the app's first sound, and the local time then, for converting app times to local
    /// times.
    private var anchor: (theirs: Duration, ours: Instant)?
    private var isWanted = false
    private var wasWanted = false

    init(_ attributes: SoundAttributes, _ plugin: (any AudioSourcePlugin)?, platform: (any SoundPlatform)?) {
        self.attributes = attributes
        self.plugin = plugin
        self.platform = platform
    }

    /// Initializes the app's plugin, and starts to pass packets to `outlet`.
    func begin(_ outlet: any SoundOutlet) {
        lock.withLock { self.outlet = outlet }
        plugin?.initialize(attributes)
    }

    func stop() {
        lock.withLock { outlet = nil }
        plugin?.stop()
    }

    /// Sets the wanted encodings, and notifies the app when its sound becomes wanted or unwanted.
    func set(_ wanted: [SoundOrigin: SoundDemand]) {
        let (turn, isFirst) = lock.withLock { () -> (Bool?, Bool) in
            self.wanted = wanted
            for (origin, coder) in coders { coder.set(wanted[origin] ?? .none) }
            let isWanted = wanted.values.contains { !$0.encodes.isEmpty }
            if isWanted == self.isWanted { return (nil, false) }
            self.isWanted = isWanted
            defer { wasWanted = wasWanted || isWanted }
            return (isWanted, !wasWanted)
        }
        switch turn {
        case true?: isFirst ? plugin?.start() : plugin?.resume()
        case false?: plugin?.pause()
        case nil: break
        }
    }

    /// Encodes samples of the app's sound. Throws `invalidArgument` if the source was started for coded sound, or if
    /// the samples are malformed or longer than a second.
    ///
    /// - Returns: true if an audience wants sound of this origin.
    func take(_ samples: SoundSamples, of origin: SoundOrigin) throws(HelioError) -> Bool {
        guard attributes.format == .pcm else {
            throw HelioError(.invalidArgument, "This source gives coded sound, not samples.")
        }
        let format = SoundFormat(sampleRate: samples.sampleRate, channels: samples.channels)
        guard format.isKnown, samples.samples.count % samples.channels == 0 else {
            throw HelioError(
                .invalidArgument,
                "Sound is of 8000 to 192,000 Hz, and of one or two channels with as many samples each.")
        }
        guard samples.samples.count <= samples.sampleRate * samples.channels else {
            throw HelioError(.invalidArgument, "That is more than a second of sound: give less at a time.")
        }
        return lock.withLock {
            guard isHeard(origin) else { return false }
            coder(of: origin).take(
                SoundBlock(format: format, samples: samples.samples, captured: instant(samples.presentationTime)))
            return true
        }
    }

    /// Forwards a coded packet. Throws `invalidArgument` if its codec is not the one given at the start, or if it is
    /// empty, too large or longer than 120 ms.
    ///
    /// - Returns: true if an audience wants the packet.
    func take(_ packet: EncodedSoundPacket, of origin: SoundOrigin) throws(HelioError) -> Bool {
        guard packet.format == attributes.format else {
            throw HelioError(
                .invalidArgument,
                "This source gives \(attributes.format.rawValue), as was said on start, not \(packet.format.rawValue).")
        }
        let frames = SoundFormat.standard.frames(in: packet.duration)
        guard (1...5760).contains(frames), !packet.bytes.isEmpty, packet.bytes.count <= 65536 else {
            throw HelioError(.invalidArgument, "A packet of sound has bytes, and lasts for up to 120 ms.")
        }
        return lock.withLock {
            guard isHeard(origin) else { return false }
            return coder(of: origin).pass(
                packet.bytes, codec: packet.format.codec, frames: Int(frames),
                captured: instant(packet.presentationTime))
        }
    }

    private func isHeard(_ origin: SoundOrigin) -> Bool { !(wanted[origin] ?? .none).encodes.isEmpty && outlet != nil }

    private func coder(of origin: SoundOrigin) -> SoundCoder {
        if let coder = coders[origin] { return coder }
        let platform = platform
        let coder = SoundCoder(
            // An app that supplies coded packets needs no encoders.
            origin, makesEncoders: attributes.format == .pcm, patience: .zero,
            makeEncoder: { encode throws(HelioError) in
                guard let platform else { throw HelioError(.unsupported, "There are no encoders of sound here.") }
                return try platform.makeEncoder(encode)
            },
            put: { [unowned self] in outlet?.submit($0) }, note: { [unowned self] in outlet?.note($0) })
        coder.set(wanted[origin] ?? .none)
        coders[origin] = coder
        return coder
    }

    private func instant(_ theirs: Duration) -> Instant {
        let anchor = self.anchor ?? (theirs, MonotonicClock.now)
        self.anchor = anchor
        return anchor.ours + (theirs - anchor.theirs)
    }

    /// The statistics of the encoded sound, by origin.
    var statistics: [SourceStatistics.Sound] {
        lock.withLock {
            SoundOrigin.allCases.compactMap { origin in
                coders[origin].map { coder in
                    .init(
                        origin, device: isHeard(origin) ? "the app" : nil,
                        SoundTally(
                            encodes: (wanted[origin] ?? .none).encodes, packets: coder.packets,
                            drops: coder.drops.byName))
                }
            }
        }
    }
}
