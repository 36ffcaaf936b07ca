// What both libraries have in their interfaces: `HelioError`, `EncodedFrame`, `PixelSize`, `CodecChoice`.
@_exported public import HelioCore
