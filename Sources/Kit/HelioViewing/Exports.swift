// Exported because what both ends share is part of this library's interface: files, the clipboard, devices, hosts on the
// network, recordings' options; and with it HelioCore.
@_exported public import HelioSharing
