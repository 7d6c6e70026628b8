package com.ericsson.otp.erlang;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/** Carries the bytes of a transport to and from a Unix-domain socket, which is what the messaging node reads and writes. */
final class Pump {
    private static final int BUFFER_BYTES = 64 << 10;

    private Pump() {}

    /** Returns a new folder that only this user can enter, for sockets. */
    static Path newFolder() throws IOException {
        return Files.createTempDirectory("jinterface-");
    }

    /** Returns the address of a socket that takes one connection, which is joined with the transport. */
    static UnixDomainSocketAddress serve(OtpTransport transport) throws IOException {
        Path folder = newFolder();
        UnixDomainSocketAddress address = UnixDomainSocketAddress.of(folder.resolve("s"));
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(address);
        start("accept", () -> {
            try (server) {
                join(transport, server.accept());
            } catch (IOException e) {
                close(transport);
            } finally {
                Files.deleteIfExists(address.getPath());
                Files.deleteIfExists(folder);
            }
        });
        return address;
    }

    /** Connects a transport with the socket at an address. */
    static void connect(OtpTransport transport, UnixDomainSocketAddress address) throws IOException {
        try {
            join(transport, SocketChannel.open(address));
        } catch (IOException e) {
            close(transport);
            throw e;
        }
    }

    private static void join(OtpTransport transport, SocketChannel channel) throws IOException {
        InputStream fromPeer = transport.getInputStream();
        OutputStream toPeer = transport.getOutputStream();
        start("in", () -> copy(() -> copyIn(fromPeer, channel), transport, channel));
        start("out", () -> copy(() -> copyOut(channel, toPeer), transport, channel));
    }

    /** Copies until either end is closed, and closes both. */
    private static void copy(Work copying, OtpTransport transport, SocketChannel channel) throws IOException {
        try (channel) {
            copying.run();
        } finally {
            close(transport);
        }
    }

    private static void copyIn(InputStream in, SocketChannel channel) throws IOException {
        byte[] buffer = new byte[BUFFER_BYTES];
        for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
            ByteBuffer bytes = ByteBuffer.wrap(buffer, 0, length);
            while (bytes.hasRemaining()) {
                channel.write(bytes); // not by a stream of Channels: on JDK 17 a read that waits would hold it up
            }
        }
    }

    private static void copyOut(SocketChannel channel, OutputStream out) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(BUFFER_BYTES);
        while (channel.read(buffer) >= 0) {
            out.write(buffer.array(), 0, buffer.position());
            out.flush();
            buffer.clear();
        }
    }

    private static void close(OtpTransport transport) {
        try {
            transport.close();
        } catch (IOException e) {
            // the connection has ended
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(String what, Work work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (IOException e) {
                        // the connection has ended, which both ends see
                    }
                },
                "jinterface-pump-" + what);
        thread.setDaemon(true);
        thread.start();
    }
}
