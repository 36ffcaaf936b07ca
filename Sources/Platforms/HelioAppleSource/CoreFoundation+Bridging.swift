import CoreVideo
import Foundation

// Bridging to Core Foundation types: by `as` if there is Objective-C; otherwise a placeholder, as the code is then only
// type-checked.

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
