// Programs that share usually watch, too, so all of HelioViewing is exported with this library.
@_exported public import HelioViewing
