package com.ericsson.otp.erlang;

import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;

/** A client of the port mapper: of this machine for nodes here, of the node's host for others. Requests go through the node's factory. */
public class OtpEpmd {
    private static final int DEFAULT_PORT = 4369;
    private static final int NAMES_REQ = 110;
    private static final int PORT_PLEASE2_REQ = 122;
    private static final int PORT2_RESP = 119;
    private static final int ALIVE2_REQ = 120;
    private static final int ALIVE2_RESP = 121;
    private static final int ALIVE2_X_RESP = 118;
    private static final int HIDDEN = 104;
    private static final int TCP = 0;
    private static final int HIGHEST_VERSION = 6;
    private static final int LOWEST_VERSION = 5;
    private static final int MAX_NAMES_BYTES = 1 << 20;

    private static volatile int epmdPort = portFromEnvironment();

    private OtpEpmd() {}

    private static int portFromEnvironment() {
        try {
            return Integer.parseInt(System.getenv().getOrDefault("ERL_EPMD_PORT", ""));
        } catch (NumberFormatException e) {
            return DEFAULT_PORT;
        }
    }

    /**
     * Sets the port of all port mappers; else it is that of {@code ERL_EPMD_PORT}, or 4369.
     *
     * @param port the port
     */
    public static void useEpmdPort(int port) {
        epmdPort = port;
    }

    /**
     * Looks up the port of a node, at its host.
     *
     * @param node the node
     * @return the port, or 0 where the node is not registered
     * @throws IOException if the port mapper does not answer
     */
    public static int lookupPort(AbstractNode node) throws IOException {
        OtpOutputStream request = new OtpOutputStream();
        byte[] alive = node.alive().getBytes(StandardCharsets.UTF_8);
        request.write2BE(alive.length + 1);
        request.write1(PORT_PLEASE2_REQ);
        request.writeN(alive);
        OtpTransport connection = null;
        try {
            connection = node.createTransport(node.host(), epmdPort);
            request.writeToAndFlush(connection.getOutputStream());
            DataInputStream in = new DataInputStream(connection.getInputStream());
            boolean found = in.read() == PORT2_RESP && in.read() == 0;
            return found ? in.readUnsignedShort() : 0;
        } catch (IOException e) {
            throw new IOException(
                    "Nameserver not responding on " + node.host() + " when looking up " + node.alive(), e);
        } finally {
            close(connection);
        }
    }

    /**
     * Registers a node, until {@link #unPublishPort}.
     *
     * @param node the node
     * @return whether the port mapper took it in; false as well where another node has the name
     * @throws IOException if the port mapper does not answer
     */
    public static boolean publishPort(OtpLocalNode node) throws IOException {
        OtpOutputStream request = new OtpOutputStream();
        byte[] alive = node.alive().getBytes(StandardCharsets.UTF_8);
        request.write2BE(alive.length + 13);
        request.write1(ALIVE2_REQ);
        request.write2BE(node.port());
        request.write1(HIDDEN);
        request.write1(TCP);
        request.write2BE(HIGHEST_VERSION);
        request.write2BE(LOWEST_VERSION);
        request.write2BE(alive.length);
        request.writeN(alive);
        request.write2BE(0);
        OtpTransport connection = null;
        try {
            connection = node.createTransport(InetAddress.getLoopbackAddress(), epmdPort);
            request.writeToAndFlush(connection.getOutputStream());
            DataInputStream in = new DataInputStream(connection.getInputStream());
            int tag = in.read();
            if ((tag == ALIVE2_RESP || tag == ALIVE2_X_RESP) && in.read() == 0) {
                node.setEpmd(connection); // the registration lasts as long as the connection
                return true;
            }
        } catch (IOException e) {
            close(connection);
            throw new IOException("Nameserver not responding on localhost when publishing " + node.alive(), e);
        }
        close(connection);
        return false;
    }

    /**
     * Gives up the registration of a node.
     *
     * @param node the node
     */
    public static void unPublishPort(OtpLocalNode node) {
        OtpTransport connection = node.getEpmd();
        node.setEpmd(null);
        close(connection);
    }

    /**
     * Returns the nodes that are registered on this machine.
     *
     * @return a line for each, as in {@code name a at port 40001}
     * @throws IOException if the port mapper does not answer
     */
    public static String[] lookupNames() throws IOException {
        return lookupNames(InetAddress.getLoopbackAddress());
    }

    /**
     * Returns the nodes that are registered on this machine.
     *
     * @param factory makes the connection
     * @return a line for each, as in {@code name a at port 40001}
     * @throws IOException if the port mapper does not answer
     */
    public static String[] lookupNames(OtpTransportFactory factory) throws IOException {
        return lookupNames(InetAddress.getLoopbackAddress(), factory);
    }

    /**
     * Returns the nodes that are registered on a machine.
     *
     * @param address the address of the machine
     * @return a line for each, as in {@code name a at port 40001}
     * @throws IOException if the port mapper does not answer
     */
    public static String[] lookupNames(InetAddress address) throws IOException {
        return lookupNames(address, new OtpSocketTransportFactory());
    }

    /**
     * Returns the nodes that are registered on a machine.
     *
     * @param address the address of the machine
     * @param factory makes the connection
     * @return a line for each, as in {@code name a at port 40001}
     * @throws IOException if the port mapper does not answer
     */
    public static String[] lookupNames(InetAddress address, OtpTransportFactory factory) throws IOException {
        OtpOutputStream request = new OtpOutputStream();
        request.write2BE(1);
        request.write1(NAMES_REQ);
        OtpTransport connection = null;
        try {
            connection = factory.createTransport(address, epmdPort);
            request.writeToAndFlush(connection.getOutputStream());
            byte[] answer = connection.getInputStream().readNBytes(MAX_NAMES_BYTES);
            int port = Math.min(Integer.BYTES, answer.length); // the port mapper's own, which was known
            String lines = new String(answer, port, answer.length - port, StandardCharsets.UTF_8);
            return lines.lines().toArray(String[]::new);
        } catch (IOException e) {
            throw new IOException("Nameserver not responding when requesting names", e);
        } finally {
            close(connection);
        }
    }

    private static void close(OtpTransport connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (IOException e) {
            // the answer is there, or the failure is told
        }
    }
}
