import HelioSCTP

/// The data channels of a connection, and the mapping between their SCTP stream numbers and `PeerChannelID`s.
final class ChannelTransport {
    var engine: DataChannels
    var names: [DataChannelID: PeerChannelID] = [:]
    var numbers: [PeerChannelID: DataChannelID] = [:]
    /// True once the SCTP association is up and this end's channels have been reported open.
    var isConnected = false

    init(_ engine: consuming DataChannels) {
        self.engine = engine
    }

    func bind(_ name: PeerChannelID, _ number: DataChannelID) {
        names[number] = name
        numbers[name] = number
    }

    func unbind(_ number: DataChannelID) -> PeerChannelID? {
        guard let name = names.removeValue(forKey: number) else { return nil }
        numbers[name] = nil
        return name
    }
}
