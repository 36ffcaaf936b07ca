public import CoreMedia
import Foundation
public import HelioAppleMedia
import HelioAppleSound
import HelioCore
public import ReplayKit
import Synchronization

/// The base class of a broadcast extension's handler: tracks the broadcast's state, and routes its samples. It is only
/// type-checked; no test runs it.
///
/// An extension's handler is a subclass that sets `observer` and overrides `take`. ReplayKit calls it on its own
/// threads.
open class BroadcastHandler: RPBroadcastSampleHandler {
    private let life = Mutex(BroadcastLife())
    /// The observer that executes the broadcast's steps, such as connection and heartbeat. Must be set in the
    /// subclass's `init`.
    public var observer: (any BroadcastObserving)?
    /// The recorder that gets the pictures if the extension itself is a source; otherwise `nil`. Must be set in the
    /// subclass's `init`.
    package var recording: FedRecording<PixelBuffer>?
    /// The feeds that get the sound if the extension itself is a source; otherwise `nil`. Must be set in the subclass's
    /// `init`.
    package var feeds: SampleFeeds?

    /// Handles a sample; the base class does nothing.
    ///
    /// - Parameter turn: the rotation that makes a picture upright.
    open func take(_ sample: CMSampleBuffer, of kind: BroadcastSampleKind, turn: PictureTurn) {}

    /// Starts the broadcast; ReplayKit calls this when the user starts it.
    override open func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
        let setup = (setupInfo ?? [:]).compactMapValues { ($0 as? NSString).map { "\($0)" } }
        perform(life.withLock { $0.started(setup: setup) })
    }

    /// Pauses the broadcast; ReplayKit calls this when the user pauses it.
    override open func broadcastPaused() { perform(life.withLock { $0.paused() }) }

    /// Resumes the broadcast; ReplayKit calls this when the user resumes it.
    override open func broadcastResumed() { perform(life.withLock { $0.resumed() }) }

    /// Ends the broadcast; ReplayKit calls this when the user ends it. The observer closes the connection before this
    /// returns.
    override open func broadcastFinished() { perform(life.withLock { $0.finished() }) }

    /// Routes a sample to `recording`, `feeds` and `take`, or drops and counts it.
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
