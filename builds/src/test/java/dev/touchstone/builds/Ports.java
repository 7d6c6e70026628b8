package dev.touchstone.builds;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/** Ports for servers that a test stops and starts again. */
final class Ports {
    private static final int FIRST = 20_000;
    private static final int LAST = 32_767;

    private Ports() {}

    /** Returns a free port that no system gives to outgoing connections, which could take it while its server is down. */
    static int fixed() throws IOException {
        while (true) {
            int port = ThreadLocalRandom.current().nextInt(FIRST, LAST + 1);
            try (ServerSocket free = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return free.getLocalPort();
            } catch (BindException e) {
                // somebody else's
            }
        }
    }
}
