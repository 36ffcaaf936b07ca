package import CoreVideo
import Foundation
import HelioAppleMedia
import HelioCore

/// A pool of Core Video's pixel buffers, which stay in the GPU's reach: type-checked, not run.
package final class ApplePicturePool: PicturePool {
    package typealias Picture = CVPixelBuffer

    private let pool: CVPixelBufferPool
    private let limit: CFDictionary

    init?(_ size: PixelSize, format: OSType, limit: Int) {
        let attributes = NSDictionary(dictionary: [
            kCVPixelBufferWidthKey: NSNumber(value: size.width),
            kCVPixelBufferHeightKey: NSNumber(value: size.height),
            kCVPixelBufferPixelFormatTypeKey: NSNumber(value: format),
            kCVPixelBufferIOSurfacePropertiesKey: NSDictionary(),
        ])
        var pool: CVPixelBufferPool?
        let status = CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes as CFDictionary, &pool)
        guard status == kCVReturnSuccess, let pool else { return nil }
        self.pool = pool
        let bound = NSDictionary(dictionary: [kCVPixelBufferPoolAllocationThresholdKey: NSNumber(value: limit)])
        self.limit = bound as CFDictionary
    }

    package func take() -> CVPixelBuffer? {
        var picture: CVPixelBuffer?
        _ = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(kCFAllocatorDefault, pool, limit, &picture)
        return picture
    }
}
