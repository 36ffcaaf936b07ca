// Who shares can watch, too: all of HelioViewing, with it what all libraries have in their interfaces.
@_exported public import HelioViewing
