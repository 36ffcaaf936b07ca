import AppKit
import ApplicationServices
import CoreGraphics
import Foundation
import HelioHostFlow

/// What macOS lets the host do, and the panes of its settings.
@MainActor
final class MacPermissions: HostPermissions {
    private static let panes = "x-apple.systempreferences:com.apple.preference.security?Privacy_"

    var mayRecord: Bool { CGPreflightScreenCaptureAccess() }
    var mayAct: Bool { AXIsProcessTrustedWithOptions(nil) }

    func askToRecord() { _ = CGRequestScreenCaptureAccess() }

    func askToAct() {
        // The value of kAXTrustedCheckOptionPrompt, which Swift takes for a variable that anybody could change.
        _ = AXIsProcessTrustedWithOptions(["AXTrustedCheckOptionPrompt": true] as CFDictionary)
    }

    func openSettings(toRecord: Bool) {
        guard let pane = URL(string: Self.panes + (toRecord ? "ScreenCapture" : "Accessibility")) else { return }
        _ = NSWorkspace.shared.open(pane)
    }
}
