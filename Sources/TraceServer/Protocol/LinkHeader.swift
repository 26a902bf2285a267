internal import TraceText

/// The value of `Link`.
///
/// Source: RFC 8288, section 3.
enum LinkHeader {
    /// A link to the next page of a list: the same address with another query. A relative
    /// reference also works behind a proxy that serves under another path (RFC 3986, section 5.2.2).
    ///
    /// - Parameter query: Names and values, in their order; any text.
    static func next(_ query: [(name: String, value: String)]) -> String {
        let items = query.map {
            "\(PercentEncoding.encoded($0.name.utf8))=\(PercentEncoding.encoded($0.value.utf8))"
        }
        return "<?\(items.joined(separator: "&"))>; rel=\"next\""
    }
}
