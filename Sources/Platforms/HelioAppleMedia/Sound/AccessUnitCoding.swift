package import HelioCore

/// A coder of AAC access units, one for each 1024 sample frames: the shim over `AudioConverter`.
package protocol AccessUnitCoding: AnyObject {
    /// The coder's delay: the sample frames by which a unit's first one is older than the first of the input passed
    /// with it.
    var delayFrames: Int { get }
    /// Codes 1024 sample frames of interleaved floats; `nil` while the coder needs more input.
    func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]?
    /// Sets the bitrate, in bits per second.
    func set(bitrate: Int)
}

/// A decoder of AAC access units: the shim over `AudioConverter`.
package protocol AccessUnitDecoding: AnyObject {
    /// Decodes one unit to interleaved floats in the format that it was made for.
    func decode(_ unit: [UInt8]) throws(HelioError) -> [Float]
}
