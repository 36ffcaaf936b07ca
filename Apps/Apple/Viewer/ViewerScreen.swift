import HelioAppModels
import SwiftUI

/// The viewer's screen: the session, or the screens that lead to it.
struct ViewerScreen: View {
    let stores: ViewerStores

    var body: some View {
        if case .session(let session) = stores.place {
            SessionPlace(stores: stores, store: session)
        } else {
            TabView {
                NavigationStack { EntryView(stores: stores) }
                    .tabItem { Label(Phrase(.hostsTitle).localized, systemImage: "display") }
                #if canImport(UIKit)
                NavigationStack { BroadcastScreen() }
                    .tabItem {
                        Label(Phrase(.castTitle).localized, systemImage: "dot.radiowaves.left.and.right")
                    }
                #endif
                NavigationStack { ScreenView(store: stores.settings) }
                    .tabItem { Label(Phrase(.settingsTitle).localized, systemImage: "gearshape") }
            }
        }
    }
}
