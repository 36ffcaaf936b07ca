import HelioAppModels
import SwiftUI

/// The viewer's screen: the session, what leads to it, or the hosts.
struct ViewerScreen: View {
    let flow: ViewerFlow

    var body: some View {
        if let session = flow.session {
            SessionView(store: session)
        } else {
            NavigationStack {
                if let connecting = flow.connecting {
                    ScreenView(store: connecting)
                } else {
                    ScreenView(store: flow.hosts)
                }
            }
        }
    }
}
