// Both libraries have these types in their interfaces: `HelioError`, `EncodedFrame`, `PixelSize`, `CodecChoice`.
@_exported public import HelioCore
