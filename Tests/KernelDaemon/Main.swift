import TraceDaemon
import TraceWatch

/// `traced`, watching through inotify(7) itself whatever the package traits say, so that a test can run it beside the other.
@main
enum Main {
    static func main() {
        InotifyBackend.$current.withValue(.kernel) { DaemonCommand.start() }
    }
}
