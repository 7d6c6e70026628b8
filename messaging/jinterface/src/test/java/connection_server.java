import dev.touchstone.jinterface.ConnectionServer;

/** The connection server under the name that Erlang's tests start it by; a class of no package is none of a module's. */
@SuppressWarnings({"DefaultPackage", "checkstyle:TypeName"})
final class connection_server {
    private connection_server() {}

    public static void main(String[] args) {
        ConnectionServer.main(args);
    }
}
