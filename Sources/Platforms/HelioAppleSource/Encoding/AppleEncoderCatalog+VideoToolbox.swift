import CoreMedia
import Foundation
package import HelioAppleMedia
import HelioCore
import VideoToolbox

extension AppleEncoderCatalog {
    /// Returns the encoders that VideoToolbox lists on this machine.
    package static func here() -> AppleEncoderCatalog {
        var list: CFArray?
        _ = VTCopyVideoEncoderList(nil, &list)
        let entries = list as Any? as? [NSDictionary] ?? []
        return AppleEncoderCatalog(entries.compactMap { ListedEncoder($0) })
    }
}
