public import HelioSharing

extension MirrorSource {
    /// The files exchanged with viewers; `nil` if the source was started without `Options.files`.
    public var files: SharedFiles? { serving.files }
}
