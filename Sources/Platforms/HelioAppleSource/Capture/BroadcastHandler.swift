public import CoreMedia
import Foundation
public import HelioAppleMedia
public import ReplayKit
import Synchronization

/// The base of a broadcast extension's handler: the life of the broadcast and the way of its samples. Type-checked, not run.
///
/// An extension's own handler inherits from it, sets `observer`, and overrides `take`. Calls come on ReplayKit's threads.
open class BroadcastHandler: RPBroadcastSampleHandler {
    private let life = Mutex(BroadcastLife())
    /// Who does what a broadcast has to do: connection and heartbeat. To be set in the handler's `init`.
    public var observer: (any BroadcastObserving)?

    /// Takes a sample; this one drops it.
    ///
    /// - Parameter turn: what sets a picture upright.
    open func take(_ sample: CMSampleBuffer, of kind: BroadcastSampleKind, turn: PictureTurn) {}

    /// The person started the broadcast.
    override open func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
        let setup = (setupInfo ?? [:]).compactMapValues { ($0 as? NSString).map { "\($0)" } }
        perform(life.withLock { $0.started(setup: setup) })
    }

    /// The person paused it.
    override open func broadcastPaused() { perform(life.withLock { $0.paused() }) }

    /// The person resumed it.
    override open func broadcastResumed() { perform(life.withLock { $0.resumed() }) }

    /// The person ended it: the connection is closed before this returns.
    override open func broadcastFinished() { perform(life.withLock { $0.finished() }) }

    /// A sample came.
    override open func processSampleBuffer(
        _ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType
    ) {
        let type = sampleBufferType.rawValue
        let key = NSString(string: RPVideoSampleOrientationKey).bridged
        let attachment = CMGetAttachment(sampleBuffer, key: key, attachmentModeOut: nil)
        let orientation = (attachment as? NSNumber)?.intValue
        let (kind, turn) = life.withLock { ($0.route(type: type, orientation: orientation), $0.turn) }
        if let kind { take(sampleBuffer, of: kind, turn: turn) }
    }

    private func perform(_ action: BroadcastAction?) {
        if let action { observer?.perform(action) }
    }
}
