package import HelioBroadcast
package import HelioMPEGTS

/// Makes a connection's units into packets of an MPEG transport stream, which is what players take by SRT.
///
/// One is made for each connection. As it takes only what is sent, its packets are counted without gaps, whatever was
/// dropped before.
package struct SRTMultiplexer: Sendable {
    private var writer: TransportStreamWriter
    /// True until a keyframe was written, and after one that could not be: what follows needs it.
    private var needsKeyframe = true

    /// Throws for tracks that a transport stream can't carry.
    package init(_ tracks: BroadcastTracks) throws(TransportStreamError) {
        let sound: TransportSound? = tracks.sound.map {
            switch $0 {
            case .aac(let config): .aac(config)
            case .opus(let channels): .opus(channels: channels)
            }
        }
        writer = try TransportStreamWriter(video: tracks.video, sound: sound)
    }

    /// The packets of a unit, whole ones of 188 bytes; `nil` where it can't be carried.
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
