import HelioBitstream
import HelioCore
import HelioRelay
import HelioRelayWire

/// Fuzzes the app's end of the relay with an extension, or another client, that sends arbitrary bytes.
///
/// The first byte selects the sender: if it is even, a second client next to a relaying extension; if odd, the
/// extension itself, after it was accepted and has announced its format. The rest is a sequence of chunks, each with a
/// length byte.
package enum AppRelayFuzz {
    private static let present = ConnectionID(1)
    private static let stranger = ConnectionID(2)
    private static let greeting: [RelayMessage] = [
        .hello(version: RelayMessage.version),
        .format(RelayFormat(codec: .h264, size: PixelSize(width: 64, height: 64))),
    ]

    /// Runs the relay with any bytes. Traps if junk ends another client's session, if the output is larger than the
    /// input, if a picture is not decodable, or if a connection never ends.
    package static func run(_ bytes: [UInt8]) {
        guard let mode = bytes.first else { return }
        var world = World()
        world.handle(.connected(present))
        world.handle(.received(present, greeting.flatMap { $0.serialised() }))
        precondition(world.app.hasExtension)
        let sender = mode % 2 == 0 ? stranger : present
        if sender == stranger { world.handle(.connected(stranger)) }
        var start = 1
        while start < bytes.count {
            let end = min(bytes.count, start + 1 + Int(bytes[start]) * 4)
            world.handle(.received(sender, Array(bytes[start + 1..<end])))
            if bytes[start] % 16 == 7 { world.handle(.requestKeyframe) }
            if bytes[start] % 16 == 9 { world.handle(.wish(RelayWish(bitrate: UInt32(bytes[start])))) }
            start = end
        }
        if sender == stranger, world.welcomes == 1 { precondition(world.app.knows(present), "junk ended a session") }
        world.finish()
    }

    private struct World: ~Copyable {
        var app: AppRelay
        private(set) var welcomes = 0
        private var now = Instant.zero
        private var bytesIn = 0
        private var bytesOut = 0
        private var isThere = false
        private var needsKeyframe = true

        init() {
            var settings = AppRelaySettings()
            settings.limits = RelayLimits(nalUnit: 1000, sound: 500)
            settings.pictureBytes = 2000
            settings.nalUnits = 100
            app = AppRelay(settings: settings, now: .zero)
        }

        mutating func handle(_ input: AppRelay.Input) {
            now = now + .milliseconds(7)
            if case .received(_, let bytes) = input { bytesIn += bytes.count }
            app.handle(input, now: now)
            drain()
            // The limit allows for two readers and one picture.
            precondition(app.bufferedByteCount <= 2 * 1005 + 2000, "more is kept than messages and a picture")
        }

        mutating func finish() {
            for _ in 0..<200 {
                guard let deadline = app.deadline else { break }
                now = max(now + .milliseconds(1), deadline.at)
                app.tick(now: now)
                drain()
            }
            precondition(app.deadline == nil && !app.hasExtension && !isThere, "somebody stays for ever")
        }

        private mutating func drain() {
            var count = 0
            while let output = app.poll() {
                count += 1
                precondition(count <= bytesIn + 100, "one input causes too much")
                switch output {
                case .send, .close: break
                case .event(.joined):
                    precondition(!isThere, "two are there")
                    isThere = true
                    welcomes += 1
                    needsKeyframe = true
                case .event(.left), .event(.vanished):
                    precondition(isThere, "somebody left who was not there")
                    isThere = false
                case .event(.format): needsKeyframe = true
                case .event(.sound(let sound)):
                    precondition(isThere && sound.isValid && sound.captured <= now, "no sound")
                    bytesOut += sound.payload.count
                case .event(.picture(let picture)):
                    precondition(isThere && picture.captured <= now, "a picture of nobody, or of the future")
                    precondition(picture.isKeyframe || !needsKeyframe, "a picture that can't be decoded")
                    let isKeyframe = AnnexB.containsKeyframe(picture.annexB.span.bytes, codec: picture.codec)
                    precondition(picture.isKeyframe || !isKeyframe, "a keyframe is not known as one")
                    needsKeyframe = false
                    bytesOut += picture.annexB.count
                }
                precondition(bytesOut <= bytesIn, "more came out than went in")
            }
        }
    }
}
