/// What a reader of a transport stream gives.
package enum TransportStreamOutput: Sendable, Hashable {
    /// What the tables tell, whenever that changes; units of these streams follow.
    case program(TransportProgram)
    case picture(TransportPicture)
    case sound(TransportSoundUnit)
}
