internal import HelioCore
internal import HelioServing

/// The one encoded stream of a source, as its audiences beside the viewers are supplied with it: a recording, players
/// and a server that it is published to.
struct StreamSupply {
    let format: VideoFormat
    /// The origin of the sound that players and servers get; `nil` for none.
    let sound: SoundOrigin?
    let feed: any SourceFeed
    let audience: Watchers
    let mailbox: StreamMailbox
}
