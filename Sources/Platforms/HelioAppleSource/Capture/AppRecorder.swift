package import CoreMedia
import Foundation
package import HelioAppleMedia
import ReplayKit
import Synchronization

/// The recorder inside an app, which captures the app alone (row 82). Type-checked, not run.
package final class AppRecorder: Sendable {
    private let life = Mutex(RecorderLife())
    private let take: @Sendable (CMSampleBuffer, BroadcastSampleKind, PictureTurn) -> Void
    private let tell: @Sendable (String) -> Void

    /// - Parameters:
    ///   - take: takes samples, on ReplayKit's threads.
    ///   - tell: tells the person something.
    package init(
        take: @escaping @Sendable (CMSampleBuffer, BroadcastSampleKind, PictureTurn) -> Void,
        tell: @escaping @Sendable (String) -> Void
    ) {
        self.take = take
        self.tell = tell
    }

    package func share() { perform(life.withLock { $0.share() }) }
    package func unshare() { perform(life.withLock { $0.unshare() }) }
    /// To be called when the app leaves the screen.
    package func minimised() { perform(life.withLock { $0.minimised() }) }
    /// To be called when the app is on the screen again.
    package func returned() { perform(life.withLock { $0.returned() }) }

    private func perform(_ actions: [RecorderLife.Action]) {
        for action in actions {
            switch action {
            case .start: start()
            case .stop: RPScreenRecorder.shared().stopCapture()
            case .tell(let message): tell(message)
            }
        }
    }

    private func start() {
        RPScreenRecorder.shared().startCapture { [self] sample, type, error in
            if let error { return perform(life.withLock { $0.ended(error: error.localizedDescription) }) }
            guard let kind = BroadcastSampleKind(rawValue: type.rawValue) else { return }
            let key = NSString(string: RPVideoSampleOrientationKey).bridged
            let attachment = CMGetAttachment(sample, key: key, attachmentModeOut: nil)
            take(sample, kind, PictureTurn(orientation: (attachment as? NSNumber)?.intValue))
        } completionHandler: { [self] error in
            perform(life.withLock { $0.started(error: error?.localizedDescription) })
        }
    }
}
