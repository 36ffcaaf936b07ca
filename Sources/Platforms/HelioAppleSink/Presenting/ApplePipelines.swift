internal import Metal

/// Metal's pipeline and sampler states for drawing, made once per view. It is only type-checked; no test runs it.
struct ApplePipelines {
    let picture: any MTLRenderPipelineState
    let pointer: any MTLRenderPipelineState
    let linear: any MTLSamplerState
    let nearest: any MTLSamplerState

    init?(_ device: any MTLDevice) {
        guard let library = try? device.makeLibrary(source: PictureShader.source, options: nil),
            let picture = Self.pipeline(device, library, PictureShader.picture, blends: false),
            let pointer = Self.pipeline(device, library, PictureShader.pointer, blends: true),
            let linear = Self.sampler(device, .linear), let nearest = Self.sampler(device, .nearest)
        else { return nil }
        (self.picture, self.pointer, self.linear, self.nearest) = (picture, pointer, linear, nearest)
    }

    private static func pipeline(
        _ device: any MTLDevice, _ library: any MTLLibrary, _ fragment: String, blends: Bool
    ) -> (any MTLRenderPipelineState)? {
        let descriptor = MTLRenderPipelineDescriptor()
        descriptor.vertexFunction = library.makeFunction(name: PictureShader.vertex)
        descriptor.fragmentFunction = library.makeFunction(name: fragment)
        let target = descriptor.colorAttachments[0]
        target?.pixelFormat = .bgra8Unorm
        target?.isBlendingEnabled = blends
        target?.sourceRGBBlendFactor = blends ? .sourceAlpha : .one
        target?.destinationRGBBlendFactor = blends ? .oneMinusSourceAlpha : .zero
        return try? device.makeRenderPipelineState(descriptor: descriptor)
    }

    /// Makes a sampler that clamps to the edge (requirement row 55): `linear`, or `nearest` for scaling by whole
    /// multiples.
    private static func sampler(
        _ device: any MTLDevice, _ filter: MTLSamplerMinMagFilter
    ) -> (any MTLSamplerState)? {
        let descriptor = MTLSamplerDescriptor()
        descriptor.minFilter = filter
        descriptor.magFilter = filter
        descriptor.sAddressMode = .clampToEdge
        descriptor.tAddressMode = .clampToEdge
        return device.makeSamplerState(descriptor: descriptor)
    }
}
