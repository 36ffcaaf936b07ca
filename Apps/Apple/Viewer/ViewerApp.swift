import HelioAppModels
import HelioViewerFlow
import SwiftUI

/// The viewer for iPhone, iPad and Mac.
@main
struct ViewerApp: App {
    @State private var stores = ViewerStores()
    @Environment(\.scenePhase) private var phase

    var body: some Scene {
        #if canImport(AppKit)
        // A single window, as a session's picture is one view, which a second window would take away from the first.
        Window("Heliograph", id: "viewer") { screen }
        Settings { ScreenView(store: stores.settings) }
        #else
        WindowGroup { screen }
        #endif
    }

    private var screen: some View {
        ViewerScreen(stores: stores).onChange(of: phase, initial: true) { _, phase in follow(phase) }
    }

    private func follow(_ phase: ScenePhase) {
        switch phase {
        case .active: stores.flow.begin()
        case .background: stores.flow.enterBackground()
        default: break
        }
    }
}
