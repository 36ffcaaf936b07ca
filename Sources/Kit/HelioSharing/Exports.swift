// Exported because types of HelioCore are part of this library's interface, and of those of HelioViewing and Heliograph:
// `HelioError`, `EncodedFrame`, `PixelSize`, `CodecChoice`.
@_exported public import HelioCore
