package import HelioCore
internal import HelioLoop
package import NIOCore

/// The queue that passes the encoded stream from the media thread to the event loop: a slice is queued once, crosses
/// threads once, and is passed on the loop to every engine that serves the stream (`Audience`).
package final class StreamMailbox: DropCounting, Sendable {
    private enum Item: Sendable {
        case slice(EncodedSlice)
        case sound(EncodedSound)
        case format(VideoFormat)
        case source(VideoFormat, wantedSize: PixelSize)
    }

    /// The maximum number of queued items: a quarter of a second of slices. A full queue means that the loop is stuck;
    /// the newest item is then refused and counted.
    private static let capacity = 256

    private let inbox: EngineInbox<Item>
    private let members: NIOLoopBoundBox<[(Item) -> Void]>

    package init(on loop: any EventLoop) {
        let members = NIOLoopBoundBox<[(Item) -> Void]>.makeBoxSendingValue([], eventLoop: loop)
        self.members = members
        inbox = EngineInbox(capacity: Self.capacity, refusedAs: "media-queue-full", on: loop) { item in
            for give in members.value { give(item) }
        }
    }

    /// Adds an engine, to which the stream is passed from now on. Call it on the event loop only.
    func add<E: Audience & SendableMetatype>(_ engine: EngineLoop<E>) {
        members.value.append { item in
            switch item {
            case .slice(let slice): if slice.encoding == .main || E.servesSecond { engine.feed(.slice(slice)) }
            case .sound(let sound): engine.feed(.sound(sound))
            case .format(let format): engine.feed(.format(format))
            case .source(let format, let wantedSize): engine.feed(.source(format, wantedSize: wantedSize))
            }
        }
    }

    /// Queues a slice. Callable from any thread; never blocks.
    ///
    /// - Returns: true if the slice was queued. If it was refused its frame is incomplete, so a keyframe is needed.
    package func put(_ slice: EncodedSlice) -> Bool { inbox.put(.slice(slice)) }

    /// Queues a packet of sound. Callable from any thread; never blocks. A refused packet is counted, and leaves a gap.
    package func put(_ sound: EncodedSound) { _ = inbox.put(.sound(sound)) }

    /// Changes the stream's format from the next slice on. Callable from any thread.
    package func change(to format: VideoFormat) { _ = inbox.put(.format(format)) }

    /// Replaces the stream by another from the next slice on. Callable from any thread.
    package func replace(by format: VideoFormat, wantedSize: PixelSize) {
        _ = inbox.put(.source(format, wantedSize: wantedSize))
    }

    /// Counts of items that were dropped, by reason.
    package var allDrops: [String: Int] { inbox.allDrops }
}
