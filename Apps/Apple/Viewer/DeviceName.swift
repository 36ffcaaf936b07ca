import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// What this device calls itself, until the person says otherwise.
@MainActor
enum DeviceName {
    #if canImport(UIKit)
    static var current: String { UIDevice.current.name }
    #else
    static var current: String { ProcessInfo.processInfo.hostName }
    #endif
}
