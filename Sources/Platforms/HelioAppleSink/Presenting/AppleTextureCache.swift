internal import CoreVideo
package import HelioAppleMedia
internal import HelioCore
package import Metal

/// A `CVMetalTextureCache`, which makes textures from the planes of a decoded buffer without copying (requirement row
/// 54). It is only type-checked; no test runs it.
package final class AppleTextureCache: TextureCaching {
    /// The textures of a buffer's two planes. `@unchecked Sendable`: they are only retained, and read by the GPU.
    package final class Textures: @unchecked Sendable {
        let luma: any MTLTexture
        let chroma: any MTLTexture
        /// The Core Video objects that must be retained while the textures are in use.
        private let owners: [CVMetalTexture]

        init?(_ luma: CVMetalTexture, _ chroma: CVMetalTexture) {
            guard let first = CVMetalTextureGetTexture(luma), let second = CVMetalTextureGetTexture(chroma) else {
                return nil
            }
            (self.luma, self.chroma, owners) = (first, second, [luma, chroma])
        }
    }

    private let cache: CVMetalTextureCache

    package init?(_ device: any MTLDevice) {
        var cache: CVMetalTextureCache?
        let status = CVMetalTextureCacheCreate(kCFAllocatorDefault, nil, device, nil, &cache)
        guard status == kCVReturnSuccess, let cache else { return nil }
        self.cache = cache
    }

    package func textures(of buffer: AppleBuffer, samples: SampleFormat) -> Textures? {
        guard let luma = plane(0, of: buffer, .r8Unorm, buffer.size),
            let chroma = plane(1, of: buffer, .rg8Unorm, samples.chromaSize(of: buffer.size))
        else { return nil }
        return Textures(luma, chroma)
    }

    package func flush() { CVMetalTextureCacheFlush(cache, 0) }

    private func plane(
        _ index: Int, of buffer: AppleBuffer, _ format: MTLPixelFormat, _ size: PixelSize
    ) -> CVMetalTexture? {
        var texture: CVMetalTexture?
        let status = CVMetalTextureCacheCreateTextureFromImage(
            kCFAllocatorDefault, cache, buffer.pixels, nil, format, size.width, size.height, index, &texture)
        return status == kCVReturnSuccess ? texture : nil
    }
}
