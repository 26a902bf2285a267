import TraceDaemon

@main
enum Main {
    static func main() {
        DaemonCommand.start()
    }
}
