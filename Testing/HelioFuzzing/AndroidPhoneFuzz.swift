import HelioAndroid
import HelioCore
import HelioPhoneWire

/// Fuzzes the engine of a phone with the bytes of adb's server and of the phone: no bytes may trap it, make it keep
/// more than a message, or make it wait for nothing.
package enum AndroidPhoneFuzz {
    /// Each step is a byte for its kind and one for its length or time, and as many bytes: what the newest connections
    /// receive, time that passes, connections that close, and wishes of viewers.
    package static func run(_ bytes: [UInt8]) {
        var settings = AndroidSettings(serial: nil, server: [1], serverDigest: "f")
        settings.hasSound = bytes.first.map { $0 & 1 == 1 } ?? false
        var now = Instant.zero
        var engine = AndroidPhone(settings, random: SeededGenerator(seed: 1), now: now)
        var open: [ADBStreamID] = []
        var place = 1
        while place + 1 < bytes.count {
            drain(&engine, &open, now)
            let (kind, count) = (bytes[place] & 7, Int(bytes[place + 1]))
            let stream = open.isEmpty ? ADBStreamID(0) : open[open.count - 1 - Int(bytes[place] >> 3) % open.count]
            place += 2
            switch kind {
            case 0...3:
                let end = min(bytes.count, place + count)
                engine.handle(.received(stream, Array(bytes[place..<end])), now: now)
                place = end
            case 4:
                now = now + .milliseconds(count * 20)
                engine.tick(now: now)
            case 5: engine.handle(.closed(stream, wasOpen: count & 1 == 0), now: now)
            case 6: engine.handle(.watched(count & 1 == 0), now: now)
            default: engine.handle(.input(.touch(finger: UInt8(count & 15), .down, x: 0, y: 1, pressure: 1)), now: now)
            }
            precondition(engine.bufferedByteCount <= bytes.count, "more is kept than came")
        }
        drain(&engine, &open, now)
        precondition(engine.isOver || engine.deadline != nil || !open.isEmpty, "the engine waits for nothing")
    }

    private static func drain(_ engine: inout AndroidPhone, _ open: inout [ADBStreamID], _ now: Instant) {
        var outputs = 0
        while let output = engine.poll() {
            outputs += 1
            precondition(outputs < 10_000, "the engine does not come to rest")
            switch output {
            case .connect(let id):
                open.append(id)
                engine.handle(.connected(id), now: now)
            case .close(let id): open.removeAll { $0 == id }
            case .startServer: engine.handle(.serverStarted(nil), now: now)
            case .send, .event: break
            }
        }
    }
}
