import CoreVideo
import Foundation

// What 'as' bridges where there is Objective-C; elsewhere it is only checked that nobody forgets it.

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
