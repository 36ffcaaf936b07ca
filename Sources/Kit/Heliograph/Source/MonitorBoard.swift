internal import HelioCore
private import Synchronization

/// The layout of the monitors, as last reported by the media thread. Any thread may read it and select a monitor.
final class MonitorBoard: Sendable {
    private let current: Mutex<MonitorLayout>
    private let controls: SourceControls

    init(_ layout: MonitorLayout, _ controls: SourceControls) {
        current = Mutex(layout)
        self.controls = controls
    }

    var layout: MonitorLayout {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }

    /// Requests that the media thread capture a monitor. Throws `invalidArgument`, naming the choices, if there is no
    /// such monitor.
    func select(_ id: ScreenMonitor.ID) throws(HelioError) {
        controls.selectMonitor(try layout.monitor(id).id)
    }
}
