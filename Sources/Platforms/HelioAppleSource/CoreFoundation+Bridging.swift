import CoreVideo
import Foundation

// The bridging that `as` does where there is Objective-C; elsewhere the code is only type-checked.

extension NSDictionary {
    var bridged: CFDictionary {
        #if canImport(ObjectiveC)
        self as CFDictionary
        #else
        [:] as CFDictionary
        #endif
    }
}

extension NSString {
    var bridged: CFString {
        #if canImport(ObjectiveC)
        self as CFString
        #else
        "" as CFString
        #endif
    }
}
