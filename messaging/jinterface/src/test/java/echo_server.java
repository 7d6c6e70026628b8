import dev.touchstone.jinterface.EchoServer;

/** The echo server under the name that Erlang's tests start it by; a class of no package is none of a module's. */
@SuppressWarnings({"DefaultPackage", "checkstyle:TypeName"})
final class echo_server {
    private echo_server() {}

    public static void main(String[] args) {
        EchoServer.main(args);
    }
}
