import Foundation

#if canImport(UIKit)
import UIKit
#endif

/// This device's name, until the person changes it.
@MainActor
enum DeviceName {
    #if canImport(UIKit)
    static var current: String { UIDevice.current.name }
    #else
    static var current: String { ProcessInfo.processInfo.hostName }
    #endif
}
