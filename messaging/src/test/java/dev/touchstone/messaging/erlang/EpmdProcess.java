package dev.touchstone.messaging.erlang;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/** Erlang's own port mapper daemon, in the foreground on a port of its own. */
final class EpmdProcess implements AutoCloseable {
    private final Process process;
    private final InetSocketAddress address;

    private EpmdProcess(Process process, InetSocketAddress address) {
        this.process = process;
        this.address = address;
    }

    static EpmdProcess start() throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), freePort());
        String epmd = ErlangInstall.require("epmd", "erlang-base");
        Process process = new ProcessBuilder(
                        epmd, "-port", Integer.toString(address.getPort()), "-address", "127.0.0.1")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectInput(new File("/dev/null"))
                .start();
        EpmdProcess epmdProcess = new EpmdProcess(process, address);
        try {
            Waits.until("epmd at " + address, epmdProcess::answers);
            return epmdProcess;
        } catch (AssertionError e) {
            epmdProcess.close();
            throw e;
        }
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    InetSocketAddress address() {
        return address;
    }

    private boolean answers() {
        try (Socket socket = new Socket(address.getAddress(), address.getPort())) {
            return socket.isConnected();
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
