import HelioAppModels
import SwiftUI

/// The screens that lead to a session: pairing, connecting, or the hosts.
struct EntryView: View {
    let stores: ViewerStores

    var body: some View {
        switch stores.place {
        case .pairing(let store): ScreenView(store: store)
        case .connecting(let store): ScreenView(store: store)
        case .hosts, .session: ScreenView(store: stores.hosts)
        }
    }
}
