package import HelioCore

/// A coder of AAC access units, one for each 1024 sample frames: the shim over `AudioConverter`.
package protocol AccessUnitCoding: AnyObject {
    /// By how many sample frames the first that a unit decodes to is older than the first of those given with it.
    var delayFrames: Int { get }
    /// Codes 1024 sample frames of interleaved floats; `nil` where it has not enough yet.
    func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]?
    /// Bits a second.
    func set(bitrate: Int)
}

/// A decoder of AAC access units: the shim over `AudioConverter`.
package protocol AccessUnitDecoding: AnyObject {
    /// Decodes one unit to interleaved floats in the format that it was made for.
    func decode(_ unit: [UInt8]) throws(HelioError) -> [Float]
}
