// Exported because types of HelioCore are part of this library's interface, and of Heliograph's: `HelioError`,
// `EncodedFrame`, `PixelSize`, `CodecChoice`.
@_exported public import HelioCore
