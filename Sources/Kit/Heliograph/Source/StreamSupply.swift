internal import HelioCore
internal import HelioServing

/// The supply of a source's one encoded stream to audiences other than viewers: a recording, players, and a server that
/// it is published to.
struct StreamSupply {
    let format: VideoFormat
    /// The origin of the sound that players and servers get; `nil` for none.
    let sound: SoundOrigin?
    let feed: any SourceFeed
    let audience: Watchers
    let mailbox: StreamMailbox
}
