internal import HelioRTSP

/// A request that waits for its response: a challenge has it sent once more.
struct PlaybackRequest {
    var method: RTSPMethod
    var uri: String
    /// Without those that every request has.
    var headers: RTSPHeaders
    var body: [UInt8] = []
    var sequence: UInt32 = 0
    /// How often it was sent with an answer to a challenge.
    var answered = 0
    /// The last time it was.
    var isAuthorized = false
}
