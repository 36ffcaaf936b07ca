internal import HelioCore
private import Synchronization

/// What the media thread has last said of the monitors, for any thread to see, and to choose from.
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

    /// Throws `invalidArgument`, naming the choices, for a monitor that is not there.
    func select(_ id: ScreenMonitor.ID) throws(HelioError) {
        controls.selectMonitor(try layout.monitor(id).id)
    }
}
