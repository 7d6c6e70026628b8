package com.ericsson.otp.erlang;

import dev.touchstone.messaging.identity.Cookie;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A node, here or elsewhere: its name and its cookie. */
public class AbstractNode implements OtpTransportFactory {
    private static final OtpTransportFactory SOCKETS = new OtpSocketTransportFactory();
    private static final String COOKIE_FILE = ".erlang.cookie";

    private final String node;
    private final String alive;
    private final String host;
    private final OtpTransportFactory factory;
    private volatile String cookie;

    /**
     * Creates a node without a name of its own.
     *
     * @param factory makes the connections
     */
    protected AbstractNode(OtpTransportFactory factory) {
        this("", Defaults.COOKIE, factory);
    }

    /**
     * Creates a node with the cookie of {@code ~/.erlang.cookie}.
     *
     * @param node its name; without a host that of this machine is added
     */
    protected AbstractNode(String node) {
        this(node, Defaults.COOKIE);
    }

    /**
     * Creates a node with the cookie of {@code ~/.erlang.cookie}.
     *
     * @param node its name; without a host that of this machine is added
     * @param factory makes the connections
     */
    protected AbstractNode(String node, OtpTransportFactory factory) {
        this(node, Defaults.COOKIE, factory);
    }

    /**
     * Creates a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     */
    protected AbstractNode(String node, String cookie) {
        this(node, cookie, SOCKETS);
    }

    /**
     * Creates a node.
     *
     * @param node its name; without a host that of this machine is added
     * @param cookie its cookie
     * @param factory makes the connections
     */
    protected AbstractNode(String node, String cookie, OtpTransportFactory factory) {
        int at = node.indexOf('@');
        alive = at < 0 ? node : node.substring(0, at);
        host = at < 0 ? Defaults.HOST : node.substring(at + 1);
        this.node = alive + '@' + host;
        this.cookie = cookie;
        this.factory = factory;
    }

    /**
     * Returns the name with the host.
     *
     * @return the name, as in {@code alive@host}
     */
    public String node() {
        return node;
    }

    /**
     * Returns the host.
     *
     * @return what stands behind the {@code @}
     */
    public String host() {
        return host;
    }

    /**
     * Returns the name without the host.
     *
     * @return what stands before the {@code @}
     */
    public String alive() {
        return alive;
    }

    /**
     * Returns the cookie.
     *
     * @return the cookie; empty where none was given and there is no file with one
     */
    public String cookie() {
        return cookie;
    }

    /**
     * Changes the cookie, for connections that are made from now on.
     *
     * @param value the new cookie
     * @return the cookie before
     */
    public String setCookie(String value) {
        String before = cookie;
        cookie = value;
        cookieChanged();
        return before;
    }

    /** Does what a new cookie asks for. */
    void cookieChanged() {}

    @Override
    public String toString() {
        return node;
    }

    OtpTransportFactory factory() {
        return factory;
    }

    @Override
    public OtpTransport createTransport(String address, int port) throws IOException {
        return factory.createTransport(address, port);
    }

    @Override
    public OtpTransport createTransport(InetAddress address, int port) throws IOException {
        return factory.createTransport(address, port);
    }

    @Override
    public OtpServerTransport createServerTransport(int port) throws IOException {
        return factory.createServerTransport(port);
    }

    /**
     * Connects to a node, which the port mapper of its host finds unless the factory does.
     *
     * @param peer the node
     * @return the connection
     * @throws IOException if there is no connection
     */
    public OtpTransport createTransport(OtpPeer peer) throws IOException {
        if (factory instanceof OtpGenericTransportFactory generic) {
            return generic.createTransport(peer);
        }
        int port = OtpEpmd.lookupPort(peer);
        if (port == 0) {
            throw new IOException("No remote node found - cannot connect");
        }
        return factory.createTransport(peer.host(), port);
    }

    /**
     * Accepts connections for a node.
     *
     * @param self the node
     * @return the place where connections are accepted
     * @throws IOException if there is none
     */
    public OtpServerTransport createServerTransport(OtpLocalNode self) throws IOException {
        return factory instanceof OtpGenericTransportFactory generic
                ? generic.createServerTransport(self)
                : factory.createServerTransport(self.port());
    }

    /** The cookie and the host that nodes have unless told otherwise; looked up once, when first needed. */
    private static final class Defaults {
        static final String COOKIE = cookie();
        static final String HOST = host();

        private static String cookie() {
            Path file = Path.of(System.getProperty("user.home", "."), COOKIE_FILE);
            try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.ISO_8859_1)) {
                String line = lines.readLine();
                String cookie = line == null ? "" : line.strip();
                return cookie.length() > Cookie.MAX_CHARACTERS ? "" : cookie;
            } catch (IOException e) {
                return "";
            }
        }

        private static String host() {
            try {
                return InetAddress.getLocalHost().getHostName().replaceFirst("\\..*", "");
            } catch (UnknownHostException e) {
                return "localhost";
            }
        }
    }
}
