// Exported because types of HelioCore are part of this library's interface: `HelioError` and `EncodedFrame`.
@_exported public import HelioCore
