extension StringProtocol {
    /// The text without the unwanted characters at both ends.
    func trimming(while isUnwanted: (Character) -> Bool) -> SubSequence {
        guard let first = firstIndex(where: { !isUnwanted($0) }), let last = lastIndex(where: { !isUnwanted($0) })
        else { return self[endIndex...] }
        return self[first...last]
    }
}
