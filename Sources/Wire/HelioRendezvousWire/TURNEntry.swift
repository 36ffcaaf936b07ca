/// A TURN server that both ends of a call may use, with the credentials for it.
package struct TURNEntry: Hashable, Sendable {
    /// The URL (RFC 7065), such as `turn:turn.example.org:3478?transport=tcp`. At most 255 bytes, as the others.
    package var url: String
    package var username: String
    package var credential: String

    package init(url: String, username: String, credential: String) {
        self.url = url
        self.username = username
        self.credential = credential
    }

    init(_ bytes: RawSpan, _ offset: inout FrameOffset) throws(RendezvousWireError) {
        url = try bytes.takeText(limit: RendezvousLimits.turnText, &offset)
        username = try bytes.takeText(limit: RendezvousLimits.turnText, &offset)
        credential = try bytes.takeText(limit: RendezvousLimits.turnText, &offset)
    }

    func append(to bytes: inout [UInt8]) {
        bytes.append(text: url, limit: RendezvousLimits.turnText)
        bytes.append(text: username, limit: RendezvousLimits.turnText)
        bytes.append(text: credential, limit: RendezvousLimits.turnText)
    }
}
