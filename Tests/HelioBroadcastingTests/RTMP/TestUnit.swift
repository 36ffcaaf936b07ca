import HelioBroadcast
import HelioCore

/// A picture or a packet of sound as input of a broadcast.
enum TestUnit: Sendable {
    case picture(BroadcastPicture)
    case sound(EncodedSound)

    var captured: Instant {
        switch self {
        case .picture(let picture): picture.captured
        case .sound(let sound): sound.captured
        }
    }

    func send(by sender: some BroadcastSending) {
        switch self {
        case .picture(let picture): sender.send(picture)
        case .sound(let sound): sender.send(sound)
        }
    }

    /// Sorts the units by timestamp, pictures first.
    static func sort(_ pictures: [TestUnit], _ sounds: [TestUnit]) -> [TestUnit] {
        (pictures + sounds).enumerated().sorted {
            ($0.element.captured, $0.offset) < ($1.element.captured, $1.offset)
        }.map(\.element)
    }
}
