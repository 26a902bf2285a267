import Journals
import ProbeKind
import TraceCommands

/// `trace`, with one kind of journal more.
@main
enum Main {
    static func main() {
        Journals.add(ProbeFormat())
        TraceCommand.main()
    }
}
