// The author of an extension needs the types of frames, sizes and errors, and AVCC.
@_exported public import HelioBitstream
@_exported public import HelioCore
