// HelioSharing is exported because its types are part of this library's interface: files, the clipboard, devices,
// discovered hosts, options of recordings. HelioSharing in turn exports HelioCore.
@_exported public import HelioSharing
