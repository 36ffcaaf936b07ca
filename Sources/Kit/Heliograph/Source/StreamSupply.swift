internal import HelioCore
internal import HelioServing

/// The properties of a source's encoded stream that its audiences other than viewers need: a recording, ordinary
/// players, a publication and broadcasts.
struct StreamSupply {
    let format: VideoFormat
    /// The origin of the sound that is sent to players, published and broadcast; `nil` for none.
    let sound: SoundOrigin?
    let feed: any SourceFeed
    let audience: Watchers
    let mailbox: StreamMailbox
}
