#if canImport(ScreenCaptureKit)
import ApplicationServices
import CoreGraphics
import Foundation
package import HelioAppleMedia

/// Checks the permissions of macOS, and asks the person for them. Type-checked, not run.
package final class SystemPermissions: PermissionAsking {
    package init() {}

    package func isGranted(_ kind: PermissionKind) -> Bool {
        switch kind {
        case .screenRecording: CGPreflightScreenCaptureAccess()
        case .accessibility: AXIsProcessTrustedWithOptions(nil)
        }
    }

    package func ask(for kind: PermissionKind) {
        switch kind {
        case .screenRecording: _ = CGRequestScreenCaptureAccess()
        case .accessibility:
            // The value of kAXTrustedCheckOptionPrompt, which Swift imports as a variable that anybody could change.
            _ = AXIsProcessTrustedWithOptions(["AXTrustedCheckOptionPrompt": true] as CFDictionary)
        }
    }
}
#endif
