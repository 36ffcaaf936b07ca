/// The host's message to a viewer that its datagrams do not arrive by UDP, sent as a SET_PARAMETER request. The viewer
/// can't know this, as the host's media may still arrive at the viewer. The content type is the whole message; the body
/// is one word only because an empty body has no content type.
enum SilenceMessage {
    static let contentType = "application/x-heliograph-silence"
    static let body = Array("udp".utf8)
}
