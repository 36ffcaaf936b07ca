package import HelioMPEGTS

/// Converts one connection's units to packets of an MPEG transport stream, the format that players expect by SRT.
///
/// Each connection has its own multiplexer. Only units that are sent are passed to it, so that continuity counters have
/// no gaps, whatever was dropped before.
package struct SRTMultiplexer: Sendable {
    private var writer: TransportStreamWriter
    /// True until a keyframe has been written, and after a keyframe that could not be written.
    private var needsKeyframe = true

    /// Makes a multiplexer. Throws if a transport stream can't carry the tracks.
    package init(_ tracks: BroadcastTracks) throws(TransportStreamError) {
        let sound: TransportSound? = tracks.sound.map {
            switch $0 {
            case .aac(let config): .aac(config)
            case .opus(let channels): .opus(channels: channels)
            }
        }
        writer = try TransportStreamWriter(video: tracks.video, sound: sound)
    }

    /// Converts a unit to packets of 188 bytes each. Returns `nil` if a transport stream can't carry the unit.
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
