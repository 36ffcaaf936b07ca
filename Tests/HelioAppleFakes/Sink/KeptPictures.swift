import Foundation
package import HelioCore
import HelioGround

/// What a window without a screen was given, and what a person does at it. Any thread.
///
/// Of pictures that nobody has read the newest eight are kept. `@unchecked Sendable`: what waits is touched with the
/// condition locked.
package final class KeptPictures<Picture: DecodedImaging>: @unchecked Sendable {
    /// No picture came any more.
    package struct Ended: Error {}

    /// The pictures in turn, for one reader.
    package struct Reader {
        fileprivate var iterator: AsyncStream<Picture>.Iterator

        /// Waits for a picture that fits; those before it are passed over.
        package mutating func next(where fits: (Picture) -> Bool) async throws -> Picture {
            while let picture = await iterator.next() {
                if fits(picture) { return picture }
            }
            throw Ended()
        }
    }

    private let condition = NSCondition()
    private var events: [WindowEvent] = []
    private let pictures: AsyncStream<Picture>
    private let continuation: AsyncStream<Picture>.Continuation

    package init() {
        (pictures, continuation) = AsyncStream.makeStream(of: Picture.self, bufferingPolicy: .bufferingNewest(8))
    }

    package var reader: Reader { Reader(iterator: pictures.makeAsyncIterator()) }

    /// Does something at the window.
    package func act(_ event: WindowEvent) {
        condition.withLock {
            if event != .woken || !events.contains(.woken) { events.append(event) }
            condition.broadcast()
        }
    }

    /// No picture comes any more.
    package func end() { continuation.finish() }

    func add(_ picture: Picture) { continuation.yield(picture) }

    func wait(until: Instant?) -> [WindowEvent] {
        condition.withLock {
            while events.isEmpty {
                guard let until else {
                    condition.wait()
                    continue
                }
                let left = until - MonotonicClock.now
                if left <= .zero { break }
                _ = condition.wait(until: Date(timeIntervalSinceNow: Double(left.nanoseconds) / 1e9))
            }
            defer { events = [] }
            return events
        }
    }
}
