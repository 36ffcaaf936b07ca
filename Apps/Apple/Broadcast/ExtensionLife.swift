import CoreMedia
import Foundation
import HelioAppModels
import HelioAppleMedia
import HelioAppleSource
import HelioBroadcastFlow
import Synchronization

/// The extension's parts, connected: the encoder, and the flow that sends to the app or to a server.
final class ExtensionLife: Sendable {
    let flow: ExtensionFlow
    private let coder: BroadcastCoder
    private let clock: Task<Void, Never>

    /// - Parameter fail: ends the broadcast, with the message for the person.
    init(fail: @escaping @Sendable (Phrase) -> Void) {
        let place = FlowPlace()
        let coder = BroadcastCoder(
            picture: { place.flow?.take($0, size: $1) },
            sound: { place.flow?.take(stereo: $0, isMicrophone: $1, captured: $2) })
        let flow = ExtensionFlow(
            ExtensionSurroundings(
                folder: GroupFiles.folder, text: { GroupFiles.text($0) }, memory: { ExtensionMemory.taken },
                fail: fail, milliseconds: { Int64(Date().timeIntervalSince1970 * 1000) }),
            coder: coder)
        place.put(flow)
        self.coder = coder
        self.flow = flow
        clock = Task { [weak flow] in
            while let flow {
                flow.tick()
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    func take(_ sample: CMSampleBuffer, of kind: BroadcastSampleKind, turn: PictureTurn) {
        guard kind != .video || flow.takesPicture() else { return }
        coder.take(sample, of: kind, turn: turn)
    }
}
