internal import HelioCore
internal import HelioPhoneWire

/// The state of a connection to the phone's server, which ends with it.
struct PhoneLink: Sendable {
    var device: PhoneDevice?
    var display: PhoneDisplay?
    var ladder: EncoderLadder?
    /// The number and encoding of the running or starting encoder; `nil` while nobody watches.
    var encode: (number: UInt8, rung: EncoderLadder.Rung)?
    var lastEncode: UInt8 = 0
    /// True once the phone has said that the encoder runs.
    var hasStarted = false
    /// True once the encoder has given a keyframe.
    var hasKeyframe = false
    /// Failures of an encoder that had given pictures, since the last ten seconds.
    var runFailures: [Instant] = []
    var configuration: [UInt8] = []
    /// The bitrate that the encoder was told last.
    var bitrate = 0
    var demand = KeyframeDemand()
    var clock = PhoneClock()
    var lastCaptured: Instant?
    var heard = Instant.zero
    var nextPing = Instant.zero
    var ping: UInt32 = 0
    var pinged: Instant?
    /// Text that this host has put on the clipboard, whose report is no news.
    var ownClipboard: String?
    /// The features whose failure has been told.
    var toldFailures: Set<PhoneFeature> = []
    /// True until the phone and its display are known, and the event of readiness was told.
    var isNew = true
}

/// The stage of writing the server to the phone.
enum PushStage: Sendable { case status, file, done }

/// The server's output: a line says that it listens; the last other line explains its end.
struct ServerLines: Sendable {
    /// The longest line that is kept, in bytes.
    static let longest = 512

    private var line: [UInt8] = []
    private(set) var last = ""
    private(set) var isReady = false
    private(set) var tooLong = 0

    mutating func append(_ bytes: [UInt8]) {
        for byte in bytes {
            if byte == UInt8(ascii: "\n") {
                finish()
            } else if line.count < Self.longest {
                line.append(byte)
            } else {
                tooLong += 1
            }
        }
    }

    mutating func finish() {
        let text = String(decoding: line, as: UTF8.self)
        line = []
        if text.hasPrefix("heliograph ready") {
            isReady = true
            return
        }
        // The lines of a Java stack trace say less than the exception before them.
        let isTrace = text.drop { $0 == "\t" || $0 == " " }.hasPrefix("at ")
        if !isTrace, text.contains(where: { $0 > " " }) { last = text }
    }
}

/// The keys that are held on the phone, and the modifiers among them.
struct HeldPhoneKeys: Sendable {
    private(set) var held: [(usage: UInt16, code: UInt16)] = []

    var modifiers: UInt32 { held.reduce(0) { $0 | AndroidKeys.modifiers(usage: $1.usage) } }

    /// The event of a key; `nil` for an unknown key, or a release of a key that is not held.
    mutating func take(_ usage: UInt16, isDown: Bool) -> PhoneKey? {
        guard let code = AndroidKeys.code(usage: usage) else { return nil }
        let place = held.firstIndex { $0.usage == usage }
        if isDown {
            // A keyboard has fewer than 64 keys that a person holds at once.
            guard place != nil || held.count < 64 else { return nil }
            if place == nil { held.append((usage, code)) }
        } else {
            guard let place else { return nil }
            held.remove(at: place)
        }
        return PhoneKey(isDown: isDown, code: code, modifiers: modifiers, repeats: isDown && place != nil ? 1 : 0)
    }

    /// Releases all keys, the last one first.
    mutating func releaseAll() -> [PhoneKey] {
        var events: [PhoneKey] = []
        while let key = held.popLast() { events.append(PhoneKey(isDown: false, code: key.code, modifiers: modifiers)) }
        return events
    }

    mutating func forget() { held = [] }
}
