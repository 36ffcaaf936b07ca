import Foundation
import HelioCore
import HelioGround
import HelioServing

/// Feeds the scene to a mailbox in real time from its own thread, repeatedly until it ends.
final class SceneFeed {
    private let thread: Thread

    init(_ scene: FlashAndTone, sound: SoundEncode?, to stream: StreamMailbox) {
        thread = Thread {
            let start = MonotonicClock.now
            var pictures = 0
            var packets = 0
            while !Thread.current.isCancelled, pictures < scene.pictures.count {
                let passed = MonotonicClock.now - start
                while FlashAndTone.frameTime * pictures <= passed, pictures < scene.pictures.count {
                    Self.give(scene.pictures[pictures], pictures, start + FlashAndTone.frameTime * pictures, to: stream)
                    pictures += 1
                }
                while let sound, let packet = Self.packet(packets, sound, of: scene, start),
                    packet.captured - start <= passed
                {
                    stream.put(packet)
                    packets += 1
                }
                Thread.sleep(forTimeInterval: 0.001)
            }
        }
        thread.start()
    }

    private static func give(_ picture: [UInt8], _ number: Int, _ captured: Instant, to stream: StreamMailbox) {
        _ = stream.put(
            EncodedSlice(
                frameIndex: UInt64(number), annexB: picture, isFirst: true, isLast: true,
                isKeyframe: number % 25 == 0, timing: FrameTiming(damaged: captured, captured: captured)))
    }

    private static func packet(
        _ number: Int, _ encode: SoundEncode, of scene: FlashAndTone, _ start: Instant
    ) -> EncodedSound? {
        let (packets, frames, runUp) = encode.codec == .aac ? (scene.aac, 1024, 1024) : (scene.opus, 240, 312)
        guard number < packets.count else { return nil }
        let time = Int64(number * frames - runUp)
        return EncodedSound(
            encode: encode, payload: packets[number], mediaTime: 77_000 + time, frames: frames,
            captured: start + .nanoseconds(time * 1_000_000_000 / 48000))
    }

    func stop() { thread.cancel() }
}
