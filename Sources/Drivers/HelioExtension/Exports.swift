// Exported because this library's interface uses the types of frames, sizes and errors, and because extensions need
// `AVCC`.
@_exported public import HelioBitstream
@_exported public import HelioCore
