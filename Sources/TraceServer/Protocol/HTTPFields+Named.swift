internal import HTTPTypes

extension HTTPFields {
    /// The lines of a field that HTTPTypes has no name for.
    ///
    /// - Parameter name: In lower case.
    func values(named name: String) -> [String] {
        filter { $0.name.canonicalName == name }.map(\.value)
    }
}
