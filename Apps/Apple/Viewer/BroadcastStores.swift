#if canImport(UIKit)
import Foundation
import HelioAppModels
import HelioBroadcastFlow
import Observation
import SwiftUI

/// Lets views follow the broadcast's flow. One for the app: what is shared outlives the screen that shows it.
@MainActor @Observable
final class BroadcastStores {
    static let shared = BroadcastStores()

    @ObservationIgnored let screen: ModelStore<BroadcastModel>
    @ObservationIgnored private let flow: BroadcastFlow

    var isPickerShown: Bool {
        // The flow changes with its model, which is what views follow.
        _ = screen.model
        return flow.isPickerShown
    }

    private init() {
        let folder = FileManager.default.containerURL(
            forSecurityApplicationGroupIdentifier: BroadcastKeys.group)
        let flow = BroadcastFlow(
            BroadcastSurroundings(
                store: TextDefaults(group: BroadcastKeys.group), folder: folder.map { GroupFolder($0.path) },
                share: { try await RelayedSharing.start(socket: $0) }))
        self.flow = flow
        screen = ModelStore(flow.screen)
    }
}
#endif
