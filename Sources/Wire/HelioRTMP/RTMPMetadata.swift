import HelioBitstream
package import HelioCore

/// A stream's metadata, sent before the first picture: `onMetaData`, inside `@setDataFrame` so that the server stores
/// it.
package struct RTMPMetadata: Sendable, Hashable {
    package var codec: VideoCodec?
    package var size: PixelSize?
    package var framesPerSecond: Int?
    package var bitrate: Bitrate?
    package var sound: RTMPSound?
    package var soundBitrate: Bitrate?

    package init(codec: VideoCodec? = nil, size: PixelSize? = nil, sound: RTMPSound? = nil) {
        self.codec = codec
        self.size = size
        self.sound = sound
    }

    package var properties: [AMF0Property] {
        var properties: [AMF0Property] = []
        if let codec {
            let id = codec == .h264 ? UInt32(FLVVideoTag.h264ID) : FLVVideoTag.h265FourCC
            properties.append(.init("videocodecid", .number(Double(id))))
        }
        if let size {
            properties.append(.init("width", .number(Double(size.width))))
            properties.append(.init("height", .number(Double(size.height))))
        }
        if let framesPerSecond { properties.append(.init("framerate", .number(Double(framesPerSecond)))) }
        if let bitrate { properties.append(.init("videodatarate", .number(Double(bitrate.bitsPerSecond) / 1000))) }
        switch sound {
        case .aac(let config):
            properties.append(.init("audiocodecid", .number(Double(FLVSoundTag.aacID))))
            properties.append(.init("audiosamplerate", .number(Double(config.sampleRate))))
            properties.append(.init("audiochannels", .number(Double(config.channels))))
            properties.append(.init("stereo", .boolean(config.channels > 1)))
        case .opus(let channels, _):
            properties.append(.init("audiocodecid", .number(Double(FLVSoundTag.opusFourCC))))
            properties.append(.init("audiosamplerate", .number(48000)))
            properties.append(.init("audiochannels", .number(Double(channels))))
            properties.append(.init("stereo", .boolean(channels > 1)))
        case nil: break
        }
        if sound != nil, let soundBitrate {
            properties.append(.init("audiodatarate", .number(Double(soundBitrate.bitsPerSecond) / 1000)))
        }
        properties.append(.init("encoder", .string("Heliograph")))
        return properties
    }

    package func message(streamID: UInt32) -> RTMPMessage {
        var payload: [UInt8] = []
        AMF0Value.string("@setDataFrame").write(into: &payload)
        AMF0Value.string("onMetaData").write(into: &payload)
        AMF0Value.ecmaArray(properties).write(into: &payload)
        return RTMPMessage(.data, streamID: streamID, payload: payload)
    }

    /// The properties of a metadata message; `nil` if the message has another type or can't be parsed.
    package static func read(_ message: RTMPMessage) -> [AMF0Property]? {
        guard message.type == .data, let values = try? AMF0Value.read(message.payload) else { return nil }
        let rest = values.first?.text == "@setDataFrame" ? values.dropFirst() : values[...]
        guard rest.first?.text == "onMetaData", let value = rest.dropFirst().first else { return nil }
        switch value {
        case .object(let properties), .ecmaArray(let properties): return properties
        default: return nil
        }
    }
}
