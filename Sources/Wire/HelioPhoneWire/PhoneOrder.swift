package import HelioCore

/// A message of the host to the phone's server, which only obeys.
///
/// ```
/// 64 encode      encode 1 | codec 1 | width 2 | height 2 | encoder's name | count 1 | settings: name, type 1, value
/// 65 parameters  encode 1 | count 1 | settings
/// 66 resurface   encode 1
/// 67 stop        encode 1
/// 68 touch       action 1 | index 1 | count 1 | fingers: id 1, x 4, y 4, pressure 4
/// 69 key         action 1 | key code 2 | modifiers 4 | repeat 2
/// 70 text        text
/// 71 scroll      x 4 | y 4 | horizontal 4 | vertical 4
/// 72 clipboard   text
/// 73 screen      on 1
/// 74 start app   package's name
/// 75 new display width 2 | height 2 | density 2
/// 76 sound       on 1
/// 77 ping        number 4
/// 78 stay awake  on 1
/// ```
///
/// Positions are `Float`s in pixels of the display.
package enum PhoneOrder: PhoneMessage {
    /// Starts an encoder in place of the running one.
    case encode(PhoneEncode)
    /// Changes a running encoder's settings: `MediaCodec.setParameters`.
    case parameters(encode: UInt8, [PhoneSetting])
    /// Connects the display to the encoder's surface again, which draws it whole.
    case resurface(encode: UInt8)
    case stop(encode: UInt8)
    case touch(PhoneTouch)
    case key(PhoneKey)
    case text(String)
    case scroll(x: Float, y: Float, horizontal: Float, vertical: Float)
    case setClipboard(String)
    case screen(isOn: Bool)
    case startApp(String)
    case newDisplay(PixelSize, density: UInt16)
    case sound(isOn: Bool)
    case ping(UInt32)
    case stayAwake(Bool)

    package static func limit(of kind: UInt8) -> Int? {
        switch kind {
        case 70: PhoneLimits.text
        case 72: PhoneLimits.clipboard
        case 64...69, 71, 73...78: PhoneLimits.other
        default: nil
        }
    }

    package init(kind: UInt8, body: [UInt8]) throws(PhoneWireError) {
        var fields = PhoneFields(body)
        switch kind {
        case 64: self = .encode(try PhoneEncode(&fields))
        case 65: self = .parameters(encode: try fields.byte(), try PhoneSetting.list(&fields))
        case 66: self = .resurface(encode: try fields.byte())
        case 67: self = .stop(encode: try fields.byte())
        case 68: self = .touch(try PhoneTouch(&fields))
        case 69: self = .key(try PhoneKey(&fields))
        case 70: self = .text(try fields.remainingText())
        case 71:
            self = .scroll(
                x: try fields.float(), y: try fields.float(), horizontal: try fields.float(),
                vertical: try fields.float())
        case 72: self = .setClipboard(try fields.remainingText())
        case 73: self = .screen(isOn: try fields.flag())
        case 74: self = .startApp(try fields.remainingText())
        case 75:
            let size = PixelSize(width: Int(try fields.word()), height: Int(try fields.word()))
            guard size.width > 0, size.height > 0 else { throw .badValue }
            self = .newDisplay(size, density: try fields.word())
        case 76: self = .sound(isOn: try fields.flag())
        case 77: self = .ping(try fields.long())
        case 78: self = .stayAwake(try fields.flag())
        default: throw .unknownKind
        }
        try fields.end()
    }

    package var serialised: [UInt8] {
        var body: [UInt8] = []
        switch self {
        case .encode(let encode): encode.write(into: &body)
        case .parameters(let encode, let settings):
            body.append(encode)
            PhoneSetting.write(settings, into: &body)
        case .resurface(let encode), .stop(let encode): body = [encode]
        case .touch(let touch): touch.write(into: &body)
        case .key(let key): key.write(into: &body)
        case .text(let text), .setClipboard(let text), .startApp(let text): body = Array(text.utf8)
        case .scroll(let x, let y, let horizontal, let vertical):
            for value in [x, y, horizontal, vertical] { body.append(float: value) }
        case .screen(let isOn), .sound(let isOn), .stayAwake(let isOn): body = [isOn ? 1 : 0]
        case .newDisplay(let size, let density):
            body.append(bigEndian: UInt16(clamping: size.width))
            body.append(bigEndian: UInt16(clamping: size.height))
            body.append(bigEndian: density)
        case .ping(let number): body.append(bigEndian: number)
        }
        return .message(kind, body)
    }

    private var kind: UInt8 {
        switch self {
        case .encode: 64
        case .parameters: 65
        case .resurface: 66
        case .stop: 67
        case .touch: 68
        case .key: 69
        case .text: 70
        case .scroll: 71
        case .setClipboard: 72
        case .screen: 73
        case .startApp: 74
        case .newDisplay: 75
        case .sound: 76
        case .ping: 77
        case .stayAwake: 78
        }
    }
}
