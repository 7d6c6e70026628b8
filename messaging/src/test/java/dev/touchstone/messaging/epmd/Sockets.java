package dev.touchstone.messaging.epmd;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Connections that say what no client or server of ours would say, and waiting. */
final class Sockets {
    static final Duration TIMEOUT = Duration.ofSeconds(20);

    private Sockets() {}

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    static InetAddress loopback4() throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, 1});
    }

    static InetAddress loopback6() throws IOException {
        return InetAddress.getByAddress(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    static Socket connect(int port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout((int) TIMEOUT.toMillis());
        return socket;
    }

    static void send(Socket socket, byte[] bytes) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(bytes);
        out.flush();
    }

    /** All that the other side says until it closes the connection, in hex. */
    static String readToEnd(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        StringBuilder hex = new StringBuilder();
        try {
            for (int read = in.read(); read >= 0; read = in.read()) {
                hex.append(HexFormat.of().toHexDigits((byte) read));
            }
        } catch (SocketException reset) {
            // closed before it had read everything
        }
        return hex.toString();
    }

    /** Says this, and nothing more, and returns the answer. */
    static String ask(int port, byte[] request) throws IOException {
        try (Socket socket = connect(port)) {
            send(socket, request);
            socket.shutdownOutput();
            return readToEnd(socket);
        }
    }

    static void waitUntil(String what, Callable<Boolean> condition) throws Exception {
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("waited in vain until " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
        }
    }

    /** A server that gives everybody the same answer to whatever was asked. */
    static final class Parrot implements Closeable {
        private final ServerSocket listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        private final byte[] answer;
        private final boolean closes;

        /** @param closes whether it closes the connection after the answer */
        Parrot(byte[] answer, boolean closes) throws IOException {
            this.answer = answer;
            this.closes = closes;
            Thread thread = new Thread(this::run, "parrot");
            thread.setDaemon(true);
            thread.start();
        }

        InetSocketAddress address() {
            return loopback(listener.getLocalPort());
        }

        @Override
        public void close() throws IOException {
            listener.close();
        }

        private void run() {
            while (!listener.isClosed()) {
                try {
                    Socket socket = listener.accept();
                    InputStream in = socket.getInputStream();
                    int length = in.read() << 8 | in.read();
                    in.readNBytes(length);
                    send(socket, answer);
                    if (closes) {
                        socket.close();
                    }
                } catch (IOException e) {
                    // the next one
                }
            }
        }
    }
}
