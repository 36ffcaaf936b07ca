/// The host's word to a viewer that nothing of it comes by UDP any more, by SET_PARAMETER: the viewer can't know, as its
/// own media may come all the same. The content type says it all; the body is a word, as an empty one has no type.
enum SilenceMessage {
    static let contentType = "application/x-heliograph-silence"
    static let body = Array("udp".utf8)
}
