#if canImport(UIKit)
import Foundation
import HelioAppModels
import HelioBroadcastFlow
import Observation
import SwiftUI

/// Makes the broadcast's flow observable by views. There is one instance, because sharing outlives the screen that
/// shows it.
@MainActor @Observable
final class BroadcastStores {
    static let shared = BroadcastStores()

    @ObservationIgnored let screen: ModelStore<BroadcastModel>
    @ObservationIgnored private let flow: BroadcastFlow

    var isPickerShown: Bool {
        // The flow is not observable itself; it changes together with its model, which is.
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
