/// The host's notice, sent as a SET_PARAMETER request, that the viewer's datagrams do not arrive by UDP. The viewer
/// can't detect this itself, as the host's media may still arrive at the viewer. The content type is the whole message;
/// the body is a single word, because an empty body has no content type.
enum SilenceMessage {
    static let contentType = "application/x-heliograph-silence"
    static let body = Array("udp".utf8)
}
