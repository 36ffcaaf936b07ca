import HelioAppModels
import SwiftUI

/// What leads to a session: pairing, connecting, or the hosts.
struct EntryView: View {
    let flow: ViewerFlow

    var body: some View {
        if let pairing = flow.pairing {
            ScreenView(store: pairing)
        } else if let connecting = flow.connecting {
            ScreenView(store: connecting)
        } else {
            ScreenView(store: flow.hosts)
        }
    }
}
