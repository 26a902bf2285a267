/// Writes metrics in Prometheus' text format, version 0.0.4.
///
/// Source: prometheus.io/docs/instrumenting/exposition_formats, "Text-based format".
struct PrometheusText {
    private(set) var text = ""

    enum Kind: String {
        case counter, gauge, histogram
    }

    /// A sample: its labels and its value.
    typealias Sample = (labels: [(String, String)], value: Double)

    /// Adds a metric; one without samples is left out.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ samples: [Sample]) {
        guard !samples.isEmpty else { return }
        head(name, kind, help)
        for sample in samples { line(name, sample.labels, sample.value) }
    }

    /// Adds a metric without labels.
    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Double) {
        add(name, kind, help, [([], value)])
    }

    mutating func add(_ name: String, _ help: String, _ histogram: Histogram) {
        head(name, .histogram, help)
        for (bound, count) in zip(Histogram.bounds, histogram.buckets) {
            line("\(name)_bucket", [("le", Self.number(bound))], Double(count))
        }
        line("\(name)_bucket", [("le", "+Inf")], Double(histogram.count))
        line("\(name)_sum", [], histogram.sum)
        line("\(name)_count", [], Double(histogram.count))
    }

    private mutating func head(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n"
    }

    private mutating func line(_ name: String, _ labels: [(String, String)], _ value: Double) {
        let inner = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        text += "\(name)\(labels.isEmpty ? "" : "{\(inner)}") \(Self.number(value))\n"
    }

    private static func escaped(_ label: String) -> String {
        label.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }

    private static func number(_ value: Double) -> String {
        value == value.rounded() && abs(value) < 1e15 ? "\(Int64(value))" : "\(value)"
    }
}
