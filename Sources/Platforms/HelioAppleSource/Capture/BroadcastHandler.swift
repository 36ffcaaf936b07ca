public import CoreMedia
import Foundation
public import HelioAppleMedia
import HelioAppleSound
import HelioCore
public import ReplayKit
import Synchronization

/// The base of a broadcast extension's handler: follows the broadcast's states, and routes its samples. Type-checked,
/// not run.
///
/// An extension's own handler inherits from it, sets `observer`, and overrides `take`. Calls come on ReplayKit's
/// threads.
open class BroadcastHandler: RPBroadcastSampleHandler {
    private let life = Mutex(BroadcastLife())
    /// The observer that executes the broadcast's steps: connection and heartbeat. To be set in the handler's `init`.
    public var observer: (any BroadcastObserving)?
    /// The recorder that gets the pictures, for an extension that is a source by itself. To be set in the handler's
    /// `init`.
    package var recording: FedRecording<PixelBuffer>?
    /// The feeds that get the sound, for an extension that is a source by itself. To be set in the handler's `init`.
    package var feeds: SampleFeeds?

    /// Takes a sample; the base drops it.
    ///
    /// - Parameter turn: the turn that sets a picture upright.
    open func take(_ sample: CMSampleBuffer, of kind: BroadcastSampleKind, turn: PictureTurn) {}

    /// Handles the broadcast's start by the person.
    override open func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
        let setup = (setupInfo ?? [:]).compactMapValues { ($0 as? NSString).map { "\($0)" } }
        perform(life.withLock { $0.started(setup: setup) })
    }

    /// Handles the broadcast's pause by the person.
    override open func broadcastPaused() { perform(life.withLock { $0.paused() }) }

    /// Handles the broadcast's resumption by the person.
    override open func broadcastResumed() { perform(life.withLock { $0.resumed() }) }

    /// Handles the broadcast's end by the person: the connection is closed before this returns.
    override open func broadcastFinished() { perform(life.withLock { $0.finished() }) }

    /// Handles a sample.
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
