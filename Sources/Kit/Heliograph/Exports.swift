// A program that shares can also watch, so all of HelioViewing is exported with this library.
@_exported public import HelioViewing
