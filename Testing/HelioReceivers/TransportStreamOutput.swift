package import HelioMPEGTS

/// The output of a transport stream reader.
package enum TransportStreamOutput: Sendable, Hashable {
    /// The program's streams, whenever the tables change them; the following units belong to these streams.
    case program(TransportProgram)
    case picture(TransportPicture)
    case sound(TransportSoundUnit)
}
