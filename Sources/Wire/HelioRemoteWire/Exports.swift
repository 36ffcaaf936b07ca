// Exported because types of these are part of this library's interface: `PixelSize`, `PointerButton`, `LockState`,
// `CursorShape`, `SoundOrigin` and `Bitrate`; `NormalizedPoint` and `USBKeyboard`; and `JSONError`.
@_exported public import HelioControlWire
@_exported public import HelioCore
@_exported public import HelioJSON
