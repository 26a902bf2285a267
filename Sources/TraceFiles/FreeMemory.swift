/// Memory that the process has freed but the C library keeps for reuse.
package enum FreeMemory {
    /// Gives it back to the system: worth some milliseconds after a large piece of work that will not come again soon.
    package static func trim() { _ = GNUCall.mallocTrim?(0) }
}
