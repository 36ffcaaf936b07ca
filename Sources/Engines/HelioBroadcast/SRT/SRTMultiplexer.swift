package import HelioMPEGTS

/// The conversion of one connection's units to packets of an MPEG transport stream, which players expect by SRT.
///
/// Each connection has its own multiplexer. It gets only units that are sent, so that its packets are counted without
/// gaps, whatever was dropped before.
package struct SRTMultiplexer: Sendable {
    private var writer: TransportStreamWriter
    /// True until a keyframe has been written; true again if a picture could not be written, as later ones refer to it.
    private var needsKeyframe = true

    /// Makes a multiplexer; throws for tracks that a transport stream can't carry.
    package init(_ tracks: BroadcastTracks) throws(TransportStreamError) {
        let sound: TransportSound? = tracks.sound.map {
            switch $0 {
            case .aac(let config): .aac(config)
            case .opus(let channels): .opus(channels: channels)
            }
        }
        writer = try TransportStreamWriter(video: tracks.video, sound: sound)
    }

    /// The packets of a unit, each of 188 bytes; `nil` if it can't be carried.
    package mutating func packets(of unit: BroadcastUnit) -> [UInt8]? {
        var bytes: [UInt8] = []
        let time = TransportStream.ticks(unit.time)
        do throws(TransportStreamError) {
            switch unit.kind {
            case .sound: try writer.write(sound: unit.bytes, at: time, into: &bytes)
            case .keyframe:
                needsKeyframe = true
                try writer.write(video: unit.bytes, at: time, into: &bytes)
                needsKeyframe = false
            case .picture:
                guard !needsKeyframe else { return nil }
                try writer.write(video: unit.bytes, at: time, into: &bytes)
            }
        } catch {
            return nil
        }
        return bytes
    }
}
