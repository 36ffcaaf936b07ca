#if canImport(ScreenCaptureKit)
import CoreMedia
import CoreVideo
import Dispatch
import Foundation
package import HelioAppleMedia
import HelioCore
import ScreenCaptureKit

/// ScreenCaptureKit's stream of a display or window. It is only type-checked; no test runs it.
package final class SystemStream: ScreenStreaming {
    package typealias Buffer = PixelBuffer

    private var running: RunningStream?
    private var watch: DisplayWatch?

    private let awake = DisplayActivity()
    private let feeds: SampleFeeds
    private let names: DisplayNames

    /// - Parameters:
    ///   - feeds: gets the sound that the machine plays, while a capture of it is attached.
    ///   - names: the displays' names; refreshed when displays change.
    package init(feeds: SampleFeeds, names: DisplayNames) {
        self.feeds = feeds
        self.names = names
    }

    deinit { watch?.end() }

    package func start(
        _ settings: StreamSettings, receive: @escaping @Sendable (StreamEvent<PixelBuffer>, Int) -> Void
    ) {
        stop()
        let generation = settings.generation
        let stream = RunningStream(settings, feeds: feeds) { receive($0, generation) }
        running = stream
        let watch = DisplayWatch { [names] in
            names.refresh()
            receive(.displaysChanged, generation)
        }
        watch.begin()
        self.watch = watch
        stream.begin()
        feeds.listen { [weak stream] wanted in stream?.hear(wanted.contains(.system)) }
    }

    package func update(_ settings: StreamSettings) { running?.update(settings) }

    package func stop() {
        running?.end()
        running = nil
        watch?.end()
        watch = nil
    }

    package func keepAwake(_ isWatched: Bool) { awake.set(isWatched) }

    package func displays() -> [DisplayInfo] { DisplayList.readAll(names) }
}
#endif
