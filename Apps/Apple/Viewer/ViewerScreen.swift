import HelioAppModels
import SwiftUI

/// The viewer's screen: the session, or what leads to it.
struct ViewerScreen: View {
    let flow: ViewerFlow

    var body: some View {
        if let session = flow.session {
            SessionView(store: session)
        } else {
            TabView {
                NavigationStack { EntryView(flow: flow) }
                    .tabItem { Label(Phrase(.hostsTitle).localized, systemImage: "display") }
                NavigationStack { ScreenView(store: flow.settings) }
                    .tabItem { Label(Phrase(.settingsTitle).localized, systemImage: "gearshape") }
            }
        }
    }
}
