import Foundation

#if canImport(UIKit)
import UIKit
#elseif canImport(AppKit)
import AppKit
#endif

/// Keeps the display on while a session is shown: who watches may touch nothing for long.
@MainActor
final class Wakefulness {
    #if canImport(UIKit)
    func set(_ isOn: Bool) { UIApplication.shared.isIdleTimerDisabled = isOn }
    #else
    private var activity: (any NSObjectProtocol)?

    func set(_ isOn: Bool) {
        guard isOn != (activity != nil) else { return }
        if let activity { ProcessInfo.processInfo.endActivity(activity) }
        let options: ProcessInfo.ActivityOptions = [.userInitiated, .idleDisplaySleepDisabled]
        activity = isOn ? ProcessInfo.processInfo.beginActivity(options: options, reason: "A screen is shown.") : nil
    }
    #endif
}
