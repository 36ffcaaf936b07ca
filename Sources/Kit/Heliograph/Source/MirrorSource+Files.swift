public import HelioViewing

extension MirrorSource {
    /// The files that go to viewers and come of them; `nil` where the source was started without `Options.files`.
    public var files: SharedFiles? { serving.files }
}
