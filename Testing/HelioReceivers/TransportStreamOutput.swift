package import HelioMPEGTS

/// The output of a transport stream reader.
package enum TransportStreamOutput: Sendable, Hashable {
    /// The program's streams, after each change of the tables; the following pictures and sound units belong to these
    /// streams.
    case program(TransportProgram)
    case picture(TransportPicture)
    case sound(TransportSoundUnit)
}
