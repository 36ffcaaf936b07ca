package import HelioCore

/// The order to start an encoder.
package struct PhoneEncode: Sendable, Hashable {
    /// The number of the encoder, by which its pictures are told from those of an earlier one.
    package var encode: UInt8
    package var codec: VideoCodec
    package var size: PixelSize
    /// The encoder's name as the phone stated it; empty for the system's default of the codec.
    package var name: String
    /// Entries of `MediaFormat`.
    package var settings: [PhoneSetting]

    package init(encode: UInt8, codec: VideoCodec, size: PixelSize, name: String, settings: [PhoneSetting]) {
        self.encode = encode
        self.codec = codec
        self.size = size
        self.name = name
        self.settings = settings
    }

    init(_ fields: inout PhoneFields) throws(PhoneWireError) {
        encode = try fields.byte()
        codec = try VideoCodec(phone: try fields.byte())
        size = PixelSize(width: Int(try fields.word()), height: Int(try fields.word()))
        guard size.width > 0, size.height > 0 else { throw .badValue }
        name = try fields.text()
        settings = try PhoneSetting.list(&fields)
    }

    func write(into bytes: inout [UInt8]) {
        bytes += [encode, codec.ofPhone]
        bytes.append(bigEndian: UInt16(clamping: size.width))
        bytes.append(bigEndian: UInt16(clamping: size.height))
        bytes.append(text: name)
        PhoneSetting.write(settings, into: &bytes)
    }
}

/// An entry of `MediaFormat`, or of the `Bundle` for `MediaCodec.setParameters`.
package struct PhoneSetting: Sendable, Hashable {
    package enum Value: Sendable, Hashable {
        case int(Int32)
        case long(Int64)
        case float(Float)
    }

    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }

    static func list(_ fields: inout PhoneFields) throws(PhoneWireError) -> [PhoneSetting] {
        let count = Int(try fields.byte())
        guard count <= PhoneLimits.settings else { throw .badValue }
        var list: [PhoneSetting] = []
        for _ in 0..<count {
            let name = try fields.text()
            switch try fields.byte() {
            case 0: list.append(PhoneSetting(name, .int(Int32(bitPattern: try fields.long()))))
            case 1: list.append(PhoneSetting(name, .long(Int64(bitPattern: try fields.huge()))))
            case 2: list.append(PhoneSetting(name, .float(try fields.float())))
            default: throw .badValue
            }
        }
        return list
    }

    static func write(_ settings: [PhoneSetting], into bytes: inout [UInt8]) {
        bytes.append(UInt8(min(settings.count, PhoneLimits.settings)))
        for setting in settings.prefix(PhoneLimits.settings) {
            bytes.append(text: setting.name)
            switch setting.value {
            case .int(let value):
                bytes.append(0)
                bytes.append(bigEndian: UInt32(bitPattern: value))
            case .long(let value):
                bytes.append(1)
                bytes.append(bigEndian: UInt64(bitPattern: value))
            case .float(let value):
                bytes.append(2)
                bytes.append(float: value)
            }
        }
    }
}
