#if canImport(ScreenCaptureKit)
import ApplicationServices
import CoreGraphics
import Foundation
package import HelioAppleMedia

/// Checks the permissions of macOS, and prompts the user for them. It is only type-checked; no test runs it.
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
            // The key is the value of kAXTrustedCheckOptionPrompt, which Swift 6 can't use, as it is imported as a
            // mutable global.
            _ = AXIsProcessTrustedWithOptions(["AXTrustedCheckOptionPrompt": true] as CFDictionary)
        }
    }
}
#endif
