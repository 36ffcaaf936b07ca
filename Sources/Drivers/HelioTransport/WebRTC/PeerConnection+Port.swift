package import HelioPeer
private import HelioTURN

extension PeerConnection: PeerPortEngine {
    package typealias Event = PeerConnectionEvent

    package static func input(_ input: PeerPortInput) -> Input? {
        switch input {
        case .datagram(let bytes, let from, let base): .datagram(bytes, from: from, onLocal: base)
        case .localCandidate(let candidate): .localCandidate(candidate)
        case .localCandidatesEnded: .localCandidatesEnded
        case .resolved(let name, let addresses): .resolved(name, addresses)
        case .connected(let from, let to, let local): .connected(from: from, to: to, local: local)
        case .disconnected(let from, let to): .disconnected(from: from, to: to)
        case .server(let id, let event): .server(TURNServer.ID(rawValue: id), event)
        }
    }

    package static func action(_ output: Output) -> PeerPortAction<PeerConnectionEvent> {
        switch output {
        case .datagram(let bytes, let from, let to): .datagram(bytes, from: from, to: to)
        case .resolve(let name): .resolve(name)
        case .connect(let from, let to): .connect(from: from, to: to)
        case .server(let id, let command): .server(id.rawValue, command)
        case .event(let event): .event(event)
        }
    }
}
