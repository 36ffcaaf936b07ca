package import HelioCore

/// A message of the phone's server to the host.
///
/// ```
/// 1 device           sdk 2 | model | count 1 | encoders: codec 1, hardware 1, alignment 1+1, largest 2+2, bits 4, name
/// 2 display          width 2 | height 2 | density 2 | quarter turns 1 | id 4
/// 3 encoding         encode 1 | width 2 | height 2 | codec 1
/// 4 encoding failed  encode 1 | stage 1 | reason
/// 5 configuration    encode 1 | parameter sets in Annex B form
/// 6 picture          encode 1 | keyframe 1 | presentation time in microseconds 8 | access unit in Annex B form
/// 7 sound            presentation time in microseconds 8 | PCM of 48 kHz, stereo, 16 bits, big-endian
/// 8 clipboard        text
/// 9 failed           feature 1 | reason
/// 10 pong            number 4
/// 11 note            text
/// ```
///
/// Texts within a message have a length of 2 bytes before them; a text at the end has none.
package enum PhoneReport: PhoneMessage {
    case device(PhoneDevice)
    /// The display's size or orientation, at the start and after each change.
    case display(PhoneDisplay)
    /// The encoder of this number has started; its pictures follow.
    case encoding(encode: UInt8, size: PixelSize, codec: VideoCodec)
    case encodingFailed(encode: UInt8, PhoneEncodeStage, String)
    case configuration(encode: UInt8, [UInt8])
    case picture(PhonePicture)
    /// Samples of what the phone plays.
    case sound(microseconds: Int64, [UInt8])
    /// Text that was copied on the phone.
    case clipboard(String)
    /// An order that the phone could not carry out.
    case failed(PhoneFeature, String)
    case pong(UInt32)
    case note(String)

    package static func limit(of kind: UInt8) -> Int? {
        switch kind {
        case 5: PhoneLimits.configuration
        case 6: PhoneLimits.picture
        case 7: PhoneLimits.sound
        case 8: PhoneLimits.clipboard
        case 1...4, 9...11: PhoneLimits.other
        default: nil
        }
    }

    package init(kind: UInt8, body: [UInt8]) throws(PhoneWireError) {
        var fields = PhoneFields(body)
        switch kind {
        case 1: self = .device(try PhoneDevice(&fields))
        case 2: self = .display(try PhoneDisplay(&fields))
        case 3:
            let encode = try fields.byte()
            let size = PixelSize(width: Int(try fields.word()), height: Int(try fields.word()))
            guard size.width > 0, size.height > 0 else { throw .badValue }
            self = .encoding(encode: encode, size: size, codec: try VideoCodec(phone: try fields.byte()))
        case 4:
            let encode = try fields.byte()
            guard let stage = PhoneEncodeStage(rawValue: try fields.byte()) else { throw .badValue }
            self = .encodingFailed(encode: encode, stage, try fields.remainingText())
        case 5: self = .configuration(encode: try fields.byte(), try fields.remaining())
        case 6: self = .picture(try PhonePicture(&fields))
        case 7:
            let time = Int64(bitPattern: try fields.huge())
            let samples = try fields.remaining()
            guard samples.count % 4 == 0, !samples.isEmpty else { throw .badValue }
            self = .sound(microseconds: time, samples)
        case 8: self = .clipboard(try fields.remainingText())
        case 9:
            guard let feature = PhoneFeature(rawValue: try fields.byte()) else { throw .badValue }
            self = .failed(feature, try fields.remainingText())
        case 10: self = .pong(try fields.long())
        case 11: self = .note(try fields.remainingText())
        default: throw .unknownKind
        }
        try fields.end()
    }

    package var serialised: [UInt8] {
        var body: [UInt8] = []
        switch self {
        case .device(let device): device.write(into: &body)
        case .display(let display): display.write(into: &body)
        case .encoding(let encode, let size, let codec):
            body.append(encode)
            body.append(bigEndian: UInt16(clamping: size.width))
            body.append(bigEndian: UInt16(clamping: size.height))
            body.append(codec.ofPhone)
        case .encodingFailed(let encode, let stage, let reason): body = [encode, stage.rawValue] + reason.utf8
        case .configuration(let encode, let sets): body = [encode] + sets
        case .picture(let picture): picture.write(into: &body)
        case .sound(let time, let samples):
            body.append(bigEndian: UInt64(bitPattern: time))
            body += samples
        case .clipboard(let text), .note(let text): body = Array(text.utf8)
        case .failed(let feature, let reason): body = [feature.rawValue] + reason.utf8
        case .pong(let number): body.append(bigEndian: number)
        }
        return .message(kind, body)
    }

    private var kind: UInt8 {
        switch self {
        case .device: 1
        case .display: 2
        case .encoding: 3
        case .encodingFailed: 4
        case .configuration: 5
        case .picture: 6
        case .sound: 7
        case .clipboard: 8
        case .failed: 9
        case .pong: 10
        case .note: 11
        }
    }
}

/// A coded picture of the phone.
package struct PhonePicture: Sendable, Hashable {
    /// The number of the encoder, as ordered.
    package var encode: UInt8
    package var isKeyframe: Bool
    /// The presentation time on the phone's clock.
    package var microseconds: Int64
    /// An access unit in Annex B form.
    package var annexB: [UInt8]

    package init(encode: UInt8, isKeyframe: Bool, microseconds: Int64, annexB: [UInt8]) {
        self.encode = encode
        self.isKeyframe = isKeyframe
        self.microseconds = microseconds
        self.annexB = annexB
    }

    init(_ fields: inout PhoneFields) throws(PhoneWireError) {
        encode = try fields.byte()
        isKeyframe = try fields.flag()
        microseconds = Int64(bitPattern: try fields.huge())
        annexB = try fields.remaining()
        guard annexB.count > 4 else { throw .badValue }
    }

    func write(into bytes: inout [UInt8]) {
        bytes += [encode, isKeyframe ? 1 : 0]
        bytes.append(bigEndian: UInt64(bitPattern: microseconds))
        bytes += annexB
    }
}

/// The stage at which an encoder failed.
package enum PhoneEncodeStage: UInt8, Sendable, Hashable, CaseIterable {
    /// No encoder has that name or codec.
    case create = 0
    /// The encoder refused its settings.
    case configure = 1
    /// The display could not be captured into the encoder's surface.
    case capture = 2
    /// The encoder failed while it ran.
    case running = 3
}

/// A part of the phone's server that may be missing or refused on a phone.
package enum PhoneFeature: UInt8, Sendable, Hashable, CaseIterable {
    case input = 0
    case sound = 1
    case clipboard = 2
    case screenPower = 3
    case startApp = 4
    case newDisplay = 5
    case stayAwake = 6
}
