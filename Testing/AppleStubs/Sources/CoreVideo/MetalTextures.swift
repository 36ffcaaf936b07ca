public import AppleBase
public import Metal

public class CVMetalTexture {}
public class CVMetalTextureCache {}

public func CVMetalTextureCacheCreate(
    _ allocator: CFAllocator?, _ cacheAttributes: CFDictionary?, _ metalDevice: any MTLDevice,
    _ textureAttributes: CFDictionary?, _ cacheOut: UnsafeMutablePointer<CVMetalTextureCache?>
) -> CVReturn { stub() }

public func CVMetalTextureCacheCreateTextureFromImage(
    _ allocator: CFAllocator?, _ textureCache: CVMetalTextureCache, _ sourceImage: CVImageBuffer,
    _ textureAttributes: CFDictionary?, _ pixelFormat: MTLPixelFormat, _ width: Int, _ height: Int, _ planeIndex: Int,
    _ textureOut: UnsafeMutablePointer<CVMetalTexture?>
) -> CVReturn { stub() }

public func CVMetalTextureCacheFlush(_ textureCache: CVMetalTextureCache, _ options: UInt64) { stub() }
public func CVMetalTextureGetTexture(_ image: CVMetalTexture) -> (any MTLTexture)? { stub() }
