import HelioCore
import HelioRTMP

/// Converts one connection's units to RTMP messages, with metadata and decoder configurations before the units that
/// need them.
///
/// Each connection has its own multiplexer.
struct RTMPMultiplexer: Sendable {
    /// The maximum size of a sound packet in bytes.
    private static let maximumSound = 64 << 10

    private let options: RTMPOptions
    private let codec: VideoCodec?
    private let sound: RTMPSound?
    private var video: FLVVideoWriter?
    private var metadata: RTMPMetadata?
    private var hasSound = false
    /// True until a keyframe has been written, and after a picture that could not be written, as later pictures refer
    /// to it.
    private var needsKeyframe = true

    init(_ tracks: BroadcastTracks, _ options: RTMPOptions) {
        self.options = options
        codec = tracks.video
        video = tracks.video.map { FLVVideoWriter($0) }
        sound = tracks.sound.map {
            switch $0 {
            case .aac(let config): .aac(config)
            case .opus(let channels): .opus(channels: channels)
            }
        }
    }

    /// Converts a unit to messages without a stream ID. Returns `nil` if RTMP can't carry the unit.
    mutating func messages(of unit: BroadcastUnit) -> [RTMPMessage]? {
        let time = UInt32(truncatingIfNeeded: max(0, unit.time.nanoseconds) / 1_000_000)
        guard unit.kind != .sound else { return messages(ofSound: unit.bytes, at: time) }
        if unit.kind == .keyframe { needsKeyframe = true }
        guard unit.kind == .keyframe || !needsKeyframe, let tags = tags(of: unit) else { return nil }
        needsKeyframe = false
        return tellMetadata() + tags.map { RTMPMessage(.video, timestamp: time, payload: $0.bytes) }
    }

    private mutating func tags(of unit: BroadcastUnit) -> [FLVVideoTag]? {
        do throws(FLVVideoFault) {
            guard let output = try video?.write(annexB: unit.bytes) else { return nil }
            return [output.configuration, output.picture].compactMap { $0 }
        } catch {
            // Dropping a unit without a picture, such as parameter sets alone, requires no keyframe, as it is not a
            // reference.
            if error != .noPicture { needsKeyframe = true }
            return nil
        }
    }

    private mutating func messages(ofSound packet: [UInt8], at time: UInt32) -> [RTMPMessage]? {
        guard let sound, packet.count <= Self.maximumSound else { return nil }
        var messages = codec == nil ? tellMetadata() : []
        if !hasSound {
            hasSound = true
            messages.append(RTMPMessage(.sound, timestamp: time, payload: sound.configuration.bytes))
        }
        let tag = FLVSoundTag.packet(sound.codec, packet)
        return messages + [RTMPMessage(.sound, timestamp: time, payload: tag.bytes)]
    }

    /// Makes the metadata message if the metadata has changed, or was not sent yet.
    private mutating func tellMetadata() -> [RTMPMessage] {
        var next = RTMPMetadata(codec: codec, size: video?.size, sound: sound)
        next.framesPerSecond = options.framesPerSecond
        next.bitrate = options.bitrate
        next.soundBitrate = options.soundBitrate
        guard next != metadata else { return [] }
        metadata = next
        return [next.message(streamID: 0)]
    }
}
