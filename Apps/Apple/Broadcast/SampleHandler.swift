import CoreMedia
import Foundation
import HelioAppModels
import HelioAppleMedia
import HelioAppleSource
import ReplayKit

/// The broadcast upload extension: hands what the system tells, and its samples, on to the flow.
///
/// Unchecked: the system calls it on several queues as it is; what it adds is made before and never changed.
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
