import Foundation
import HelioAppModels
import HelioViewerFlow
import Observation

/// Makes the viewer's flow observable by views.
@MainActor @Observable
final class ViewerStores {
    private(set) var place = ShownPlace.hosts
    private(set) var picture: SystemSession?
    private(set) var pad: TouchPad?
    private(set) var note: String?
    private(set) var isFullScreen = false
    @ObservationIgnored let flow: ViewerFlow
    @ObservationIgnored let hosts: ModelStore<HostListModel>
    @ObservationIgnored let settings: ModelStore<SettingsModel>
    @ObservationIgnored private let window: FullScreen
    @ObservationIgnored private let wakefulness = Wakefulness()

    init() {
        let start = ContinuousClock.now
        let flow = ViewerFlow(
            world: SystemWorld(), store: TextDefaults(), deviceName: DeviceName.current,
            now: { start.duration(to: .now) }, date: { Int(Date().timeIntervalSince1970) })
        self.flow = flow
        hosts = ModelStore(flow.hosts)
        settings = ModelStore(flow.settings)
        window = FullScreen { [weak flow] in flow?.fullScreenChanged($0) }
        flow.setFullScreen = { [window] in window.set($0) }
        flow.onChange = { [weak self] in self?.changed() }
    }

    private func changed() {
        place = ShownPlace(flow.place, after: place)
        picture = flow.watching as? SystemSession
        if case .session = place { wakefulness.set(true) } else { wakefulness.set(false) }
        pad = flow.pad
        note = flow.note
        isFullScreen = flow.isFullScreen
    }
}
