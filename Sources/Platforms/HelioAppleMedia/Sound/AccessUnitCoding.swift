package import HelioCore

/// An encoder of AAC access units of 1024 sample frames each: a shim over `AudioConverter`.
package protocol AccessUnitCoding: AnyObject {
    /// The encoder's delay: the number of sample frames by which the start of a returned access unit precedes the start
    /// of the input of the same call.
    var delayFrames: Int { get }
    /// Encodes 1024 sample frames of interleaved floats; returns `nil` while the encoder needs more input.
    func encode(_ samples: [Float]) throws(HelioError) -> [UInt8]?
    /// Sets the bitrate, in bits per second.
    func set(bitrate: Int)
}

/// A decoder of AAC access units: a shim over `AudioConverter`.
package protocol AccessUnitDecoding: AnyObject {
    /// Decodes one access unit to interleaved floats, in the sample rate and channels for which the decoder was made.
    func decode(_ unit: [UInt8]) throws(HelioError) -> [Float]
}
