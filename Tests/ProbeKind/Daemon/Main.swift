import Journals
import ProbeKind
import TraceDaemon

/// `traced`, with one kind of journal more.
@main
enum Main {
    static func main() {
        Journals.add(ProbeFormat())
        DaemonCommand.start()
    }
}
