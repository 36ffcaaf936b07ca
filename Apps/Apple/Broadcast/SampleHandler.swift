import CoreMedia
import Foundation
import HelioAppModels
import ReplayKit

/// The broadcast upload extension: hands what the system tells on to the model, and pictures to their place.
///
/// Unchecked: what it adds is one constant that is Sendable; the system calls it on several queues as it is.
final class SampleHandler: RPBroadcastSampleHandler, @unchecked Sendable {
    private let life = ExtensionLife()

    override func broadcastStarted(withSetupInfo setupInfo: [String: NSObject]?) {
        life.begin { [weak self] in self?.finishBroadcastWithError($0) }
    }

    override func broadcastPaused() { life.handle(.paused) }
    override func broadcastResumed() { life.handle(.resumed) }
    override func broadcastFinished() { life.handle(.finished) }

    override func processSampleBuffer(_ sampleBuffer: CMSampleBuffer, with sampleBufferType: RPSampleBufferType) {
        guard life.takes(sampleBufferType == .video) else { return }
        SamplePlace.take(sampleBuffer, sampleBufferType)
    }
}
