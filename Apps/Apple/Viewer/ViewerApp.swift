import HelioAppModels
import HelioViewerFlow
import SwiftUI

/// The viewer for iPhone, iPad and Mac.
@main
struct ViewerApp: App {
    @State private var stores = ViewerStores()
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        WindowGroup {
            ViewerScreen(stores: stores).onChange(of: phase, initial: true) { _, phase in follow(phase) }
        }
        #if canImport(AppKit)
        Settings { ScreenView(store: stores.settings) }
        #endif
    }

    private func follow(_ phase: ScenePhase) {
        switch phase {
        case .active: stores.flow.begin()
        case .background: stores.flow.enterBackground()
        default: break
        }
    }
}
