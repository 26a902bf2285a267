/// Which release this is: the one place that says so. The Makefile reads it here, for packages and manual pages.
package enum Release {
    /// As semantic versioning has it.
    package static let version = "0.1.0"

    /// The day that the manual pages bear.
    package static let date = "2026-11-21"
}
