public import CoreMedia
import Foundation
public import HelioAppleMedia
import HelioAppleSound
import HelioCore
public import ReplayKit
import Synchronization

/// The base of a broadcast extension's handler: the life of the broadcast and the way of its samples. Type-checked, not run.
///
/// An extension's own handler inherits from it, sets `observer`, and overrides `take`. Calls come on ReplayKit's threads.
open class BroadcastHandler: RPBroadcastSampleHandler {
    private let life = Mutex(BroadcastLife())
    /// Who does what a broadcast has to do: connection and heartbeat. To be set in the handler's `init`.
    public var observer: (any BroadcastObserving)?
    /// The recorder that the pictures feed, for an extension that is a source by itself. To be set in the handler's `init`.
    package var recording: FedRecording<PixelBuffer>?
    /// Takes the sound, for the same. To be set in the handler's `init`.
    package var feeds: SampleFeeds?

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
        let (type, orientation) = (sampleBufferType.rawValue, sampleBuffer.orientation)
        let (kind, turn) = life.withLock { ($0.route(type: type, orientation: orientation), $0.turn) }
        switch kind {
        case .video: CMSampleBufferGetImageBuffer(sampleBuffer).map { recording?.take(PixelBuffer($0), turn: turn) }
        case .appAudio: feeds?.take(sampleBuffer, of: .system)
        case .microphone: feeds?.take(sampleBuffer, of: .microphone)
        case nil: return
        }
        if let kind { take(sampleBuffer, of: kind, turn: turn) }
    }

    private func perform(_ action: BroadcastAction?) {
        guard let action else { return }
        recording?.hear(action)
        observer?.perform(action)
    }
}
