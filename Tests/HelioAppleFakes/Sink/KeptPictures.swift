import Foundation
package import HelioCore
import HelioGround

/// The pictures presented to a window without a screen, and the window's simulated user events. Callable from any
/// thread.
///
/// The newest eight unread pictures are kept. `@unchecked Sendable`: pending events are accessed with the condition
/// locked.
package final class KeptPictures<Picture: DecodedImaging>: @unchecked Sendable {
    /// Thrown when no more pictures will arrive.
    package struct Ended: Error {}

    /// Reads the pictures in order; there may be only one reader.
    package struct Reader {
        fileprivate var iterator: AsyncStream<Picture>.Iterator

        /// Waits for a picture that matches; skips those before it.
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

    /// Simulates a user event at the window.
    package func act(_ event: WindowEvent) {
        condition.withLock {
            if event != .woken || !events.contains(.woken) { events.append(event) }
            condition.broadcast()
        }
    }

    /// Ends the sequence of pictures.
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
