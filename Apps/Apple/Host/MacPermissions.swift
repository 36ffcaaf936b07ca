import AppKit
import ApplicationServices
import CoreGraphics
import Foundation
import HelioHostFlow

/// The permissions that macOS grants to the host, and the panes of its settings.
@MainActor
final class MacPermissions: HostPermissions {
    private static let panes = "x-apple.systempreferences:com.apple.preference.security?Privacy_"

    var mayRecord: Bool { CGPreflightScreenCaptureAccess() }
    var mayAct: Bool { AXIsProcessTrustedWithOptions(nil) }

    func askToRecord() { _ = CGRequestScreenCaptureAccess() }

    func askToAct() {
        // The value of kAXTrustedCheckOptionPrompt, which Swift imports as a mutable global variable.
        _ = AXIsProcessTrustedWithOptions(["AXTrustedCheckOptionPrompt": true] as CFDictionary)
    }

    func openSettings(toRecord: Bool) {
        guard let pane = URL(string: Self.panes + (toRecord ? "ScreenCapture" : "Accessibility")) else { return }
        _ = NSWorkspace.shared.open(pane)
    }
}
