/// `1 error`, `2 errors`.
func counted(_ number: Int, _ noun: String, _ plural: String? = nil) -> String {
    "\(number) \(number == 1 ? noun : plural ?? "\(noun)s")"
}

extension String {
    /// The text in one line, in which nothing can be taken for a separator or for a terminal's command.
    var oneLine: String {
        String(UnicodeScalarView(unicodeScalars.map { $0.breaksLine ? " " : $0 }))
    }
}

extension Unicode.Scalar {
    fileprivate var breaksLine: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        default: properties.isBidiControl
        }
    }
}
