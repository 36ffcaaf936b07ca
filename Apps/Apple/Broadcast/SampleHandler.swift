import CoreMedia
import Foundation
import HelioAppModels
import HelioAppleMedia
import HelioAppleSource
import ReplayKit

/// The broadcast upload extension: passes the system's calls and samples to the flow.
///
/// `@unchecked Sendable`: the system calls the handler on several queues; the properties added here are set in `init`
/// and never changed.
final class SampleHandler: BroadcastHandler, @unchecked Sendable {
    private let end = BroadcastEnd()
    private let life: ExtensionLife

    override init() {
        let end = end
        life = ExtensionLife { end.fail($0) }
        super.init()
        observer = life.flow
        end.report = { [weak self] in self?.finishBroadcastWithError($0) }
    }

    override func take(_ sample: CMSampleBuffer, of kind: BroadcastSampleKind, turn: PictureTurn) {
        life.take(sample, of: kind, turn: turn)
    }
}
