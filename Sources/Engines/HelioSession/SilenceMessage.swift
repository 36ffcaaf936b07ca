/// The host's message to a viewer that nothing arrives from it by UDP, sent by SET_PARAMETER: the viewer can't know, as
/// its own media may arrive all the same. The content type says everything; the body is one word, as an empty body has
/// no type.
enum SilenceMessage {
    static let contentType = "application/x-heliograph-silence"
    static let body = Array("udp".utf8)
}
