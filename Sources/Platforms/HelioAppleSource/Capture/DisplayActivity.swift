#if canImport(ScreenCaptureKit)
import AppKit

/// Prevents the Mac's displays from sleeping, as a display that sleeps ends every capture. It is only type-checked; no
/// test runs it.
final class DisplayActivity {
    private var activity: (any NSObjectProtocol)?

    deinit { set(false) }

    func set(_ isOn: Bool) {
        guard isOn != (activity != nil) else { return }
        if let activity { ProcessInfo.processInfo.endActivity(activity) }
        activity =
            isOn
            ? ProcessInfo.processInfo.beginActivity(
                options: [.userInitiated, .idleDisplaySleepDisabled], reason: "A viewer watches this Mac's screen.")
            : nil
    }
}
#endif
