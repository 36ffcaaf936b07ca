#if canImport(UIKit)
import CoreMedia
import Dispatch
import Foundation
package import HelioAppleMedia
import HelioAppleSound
import HelioCore
import ReplayKit
import Synchronization
import UIKit

/// ReplayKit's recorder in an app, which captures only the app itself (requirement row 82). It is only type-checked; no
/// test runs it.
package final class AppRecorder: ScreenRecording {
    private let feeds: SampleFeeds
    private let watch = Mutex(AppWatch())

    /// - Parameter feeds: receives the sound that the app plays.
    package init(feeds: SampleFeeds) { self.feeds = feeds }

    deinit { watch.withLock { $0.end() } }

    package func start(_ tell: @escaping @Sendable (RecorderEvent<PixelBuffer>) -> Void) {
        watch.withLock { $0.begin(left: { tell(.left) }, returned: { tell(.returned) }) }
        // The sheet that asks the user is UIKit's, so the recorder is started on the main thread.
        DispatchQueue.main.async { [feeds] in Self.start(feeds, tell) }
    }

    /// Starts the capture. A device that can't record now, as while it mirrors its screen elsewhere, gives no answer to
    /// a start.
    private static func start(_ feeds: SampleFeeds, _ tell: @escaping @Sendable (RecorderEvent<PixelBuffer>) -> Void) {
        guard RPScreenRecorder.shared().isAvailable else { return tell(.answered(.bySystem)) }
        RPScreenRecorder.shared().startCapture { sample, type, error in
            if let error { return tell(.stopped(StreamStop(replayKit: (error as NSError).code))) }
            switch BroadcastSampleKind(rawValue: type.rawValue) {
            case .video: if let event = RecorderEvent(sample) { tell(event) }
            case .appAudio: feeds.take(sample, of: .system)
            case .microphone, nil: break
            }
        } completionHandler: { error in
            tell(.answered(error.map { StreamStop(replayKit: ($0 as NSError).code) }))
        }
    }

    package func stop() { DispatchQueue.main.async { RPScreenRecorder.shared().stopCapture() } }
}

/// Observes when the app moves to the background, and when it returns to the foreground.
private struct AppWatch: @unchecked Sendable {
    private var tokens: [any NSObjectProtocol] = []

    mutating func begin(left: @escaping @Sendable () -> Void, returned: @escaping @Sendable () -> Void) {
        end()
        tokens = [
            Self.observe(UIApplication.didEnterBackgroundNotification, left),
            Self.observe(UIApplication.willEnterForegroundNotification, returned),
        ]
    }

    mutating func end() {
        for token in tokens { NotificationCenter.default.removeObserver(token) }
        tokens = []
    }

    private static func observe(
        _ name: NSNotification.Name, _ body: @escaping @Sendable () -> Void
    ) -> any NSObjectProtocol {
        NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in body() }
    }
}
#endif
