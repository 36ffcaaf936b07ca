package import CoreVideo
import Foundation
import HelioAppleMedia
import HelioCore

/// A pool of Core Video's pixel buffers, in memory that the GPU can access (IOSurface). It is only type-checked; no
/// test runs it.
package final class ApplePicturePool: PicturePool {
    package typealias Picture = CVPixelBuffer

    private let pool: CVPixelBufferPool
    private let limit: CFDictionary

    init?(_ size: PixelSize, format: OSType, limit: Int) {
        let attributes =
            [
                kCVPixelBufferWidthKey: size.width, kCVPixelBufferHeightKey: size.height,
                kCVPixelBufferPixelFormatTypeKey: format, kCVPixelBufferIOSurfacePropertiesKey: NSDictionary(),
            ] as CFDictionary
        var pool: CVPixelBufferPool?
        let status = CVPixelBufferPoolCreate(kCFAllocatorDefault, nil, attributes, &pool)
        guard status == kCVReturnSuccess, let pool else { return nil }
        self.pool = pool
        self.limit = [kCVPixelBufferPoolAllocationThresholdKey: limit] as CFDictionary
    }

    package func take() -> CVPixelBuffer? {
        var picture: CVPixelBuffer?
        _ = CVPixelBufferPoolCreatePixelBufferWithAuxAttributes(kCFAllocatorDefault, pool, limit, &picture)
        return picture
    }
}
