package dev.touchstone.builds;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A process that sends back each {@value #BYTES} bytes over loopback, and nothing else: the least that a question to another process takes. */
final class EchoProcess implements AutoCloseable {
    /** About what a small gRPC question has on the wire. */
    private static final int BYTES = 64;

    private final Process process;
    private final Socket socket;
    private final DataInputStream in;
    private final byte[] message = new byte[BYTES];

    EchoProcess() throws IOException {
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        EchoProcess.class.getName()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String port = process.inputReader(StandardCharsets.US_ASCII).readLine();
        socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port));
        socket.setTcpNoDelay(true);
        in = new DataInputStream(socket.getInputStream());
    }

    /** Sends a message, and waits for its return. */
    void call() throws IOException {
        socket.getOutputStream().write(message);
        in.readFully(message);
    }

    /** The other process: prints its port, serves one connection, and ends with it. */
    public static void main(String[] arguments) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            System.out.println(server.getLocalPort());
            try (Socket socket = server.accept()) {
                socket.setTcpNoDelay(true);
                OutputStream out = socket.getOutputStream();
                byte[] message = new byte[BYTES];
                while (socket.getInputStream().readNBytes(message, 0, BYTES) == BYTES) {
                    out.write(message);
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
        process.destroyForcibly();
    }
}
