package import HelioCore

/// The phone, as its server describes it at the start.
package struct PhoneDevice: Sendable, Hashable {
    /// The API level of its Android: 34 is Android 14.
    package var sdk: UInt16
    /// Manufacturer and model.
    package var model: String
    package var encoders: [PhoneEncoder]

    package init(sdk: UInt16, model: String, encoders: [PhoneEncoder]) {
        (self.sdk, self.model, self.encoders) = (sdk, model, encoders)
    }

    init(_ fields: inout PhoneFields) throws(PhoneWireError) {
        sdk = try fields.word()
        model = try fields.text()
        let count = Int(try fields.byte())
        guard count <= PhoneLimits.encoders else { throw .badValue }
        encoders = []
        for _ in 0..<count { encoders.append(try PhoneEncoder(&fields)) }
    }

    func write(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: sdk)
        bytes.append(text: model)
        bytes.append(UInt8(min(encoders.count, PhoneLimits.encoders)))
        for encoder in encoders.prefix(PhoneLimits.encoders) { encoder.write(into: &bytes) }
    }
}

/// A video encoder of the phone, with the limits that `MediaCodecInfo` states.
package struct PhoneEncoder: Sendable, Hashable {
    package var codec: VideoCodec
    package var isHardware: Bool
    /// The multiples, in pixels, that width and height have to be of; at least 1.
    package var alignment: PixelSize
    package var largest: PixelSize
    /// The highest bitrate in bits per second.
    package var bitrate: UInt32
    package var name: String

    package init(
        codec: VideoCodec, isHardware: Bool, alignment: PixelSize, largest: PixelSize, bitrate: UInt32, name: String
    ) {
        self.codec = codec
        self.isHardware = isHardware
        self.alignment = alignment
        self.largest = largest
        self.bitrate = bitrate
        self.name = name
    }

    init(_ fields: inout PhoneFields) throws(PhoneWireError) {
        codec = try VideoCodec(phone: try fields.byte())
        isHardware = try fields.flag()
        alignment = PixelSize(width: Int(try fields.byte()), height: Int(try fields.byte()))
        largest = PixelSize(width: Int(try fields.word()), height: Int(try fields.word()))
        bitrate = try fields.long()
        name = try fields.text()
        guard alignment.width > 0, alignment.height > 0, largest.width > 0, largest.height > 0 else { throw .badValue }
    }

    func write(into bytes: inout [UInt8]) {
        bytes += [
            codec.ofPhone, isHardware ? 1 : 0, UInt8(clamping: alignment.width), UInt8(clamping: alignment.height),
        ]
        bytes.append(bigEndian: UInt16(clamping: largest.width))
        bytes.append(bigEndian: UInt16(clamping: largest.height))
        bytes.append(bigEndian: bitrate)
        bytes.append(text: name)
    }
}

/// The phone's display that is shared, in its present orientation.
package struct PhoneDisplay: Sendable, Hashable {
    package var size: PixelSize
    /// Dots per inch.
    package var density: UInt16
    /// Quarter turns from the natural orientation, 0 to 3.
    package var quarterTurns: UInt8
    package var id: UInt32

    package init(size: PixelSize, density: UInt16 = 420, quarterTurns: UInt8 = 0, id: UInt32 = 0) {
        (self.size, self.density, self.quarterTurns, self.id) = (size, density, quarterTurns, id)
    }

    init(_ fields: inout PhoneFields) throws(PhoneWireError) {
        size = PixelSize(width: Int(try fields.word()), height: Int(try fields.word()))
        density = try fields.word()
        quarterTurns = try fields.byte()
        id = try fields.long()
        guard size.width > 0, size.height > 0, quarterTurns < 4 else { throw .badValue }
    }

    func write(into bytes: inout [UInt8]) {
        bytes.append(bigEndian: UInt16(clamping: size.width))
        bytes.append(bigEndian: UInt16(clamping: size.height))
        bytes.append(bigEndian: density)
        bytes.append(quarterTurns)
        bytes.append(bigEndian: id)
    }
}

extension VideoCodec {
    init(phone code: UInt8) throws(PhoneWireError) {
        switch code {
        case 1: self = .h264
        case 2: self = .h265
        default: throw .badValue
        }
    }

    var ofPhone: UInt8 { self == .h264 ? 1 : 2 }
}
